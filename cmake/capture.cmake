# Runs COMMAND and keeps what it prints in OUTPUT; a command that fails or prints
# nothing leaves no file behind:  cmake -DOUTPUT=... -DCOMMAND=... -P capture.cmake
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE text RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR text STREQUAL "")
  list(JOIN COMMAND " " command)
  message(FATAL_ERROR "`${command}` failed (${result})")
endif()
file(WRITE "${OUTPUT}" "${text}")
