/*
 * completions.c - completions for bash, zsh and fish.
 *
 * Each script is a frame with lists filled in from the tables of commands, options
 * and formats. Where a value is a format or a setting the words are listed too, so
 * completing never runs pith.
 */
#include "completions.h"

#include "context.h"

#include <stdio.h>
#include <string.h>

/* --- the lists */

static void print_commands(output *out)
{
    for (size_t i = 0; command_at(i) != NULL; i++)
        output_format(out, "%s%s", i == 0 ? "" : " ", command_at(i)->name);
}

static void print_formats(output *out, unsigned side)
{
    const char *space = "";
    for (size_t i = 0; pith_format_at(i) != NULL; i++) {
        if ((pith_format_at(i)->sides & side) != 0) {
            output_format(out, "%s%s", space, pith_format_at(i)->name);
            space = " ";
        }
    }
}

/* The values in "a|b|c", each after `prefix`. */
static void print_choices(output *out, const char *prefix, const char *choices)
{
    const char *space = "";
    while (*choices != '\0') {
        size_t len = strcspn(choices, "|");
        output_format(out, "%s%s%.*s", space, prefix, (int)len, choices);
        choices += len + (choices[len] == '|');
        space = " ";
    }
}

/* One setting: "json.indent=", or with its values. */
static void print_setting(output *out, const char *prefix, const pith_setting *setting)
{
    if (setting->type == PITH_SETTING_BOOL)
        print_choices(out, prefix, "true|false");
    else if (setting->type == PITH_SETTING_CHOICE)
        print_choices(out, prefix, setting->choices);
    else
        output_text(out, prefix);
}

/* Every setting of every format, and those they all have. */
static void print_settings(output *out)
{
    const char *space = "";
    char prefix[128];
    const pith_setting *setting;
    for (size_t i = 0; pith_format_at(i) != NULL; i++) {
        const pith_format *format = pith_format_at(i);
        for (size_t j = 0; j < format->setting_count; j++) {
            setting = &format->settings[j];
            snprintf(prefix, sizeof prefix, "%s.%s=", format->name, setting->word);
            output_text(out, space);
            print_setting(out, prefix, setting);
            space = " ";
        }
    }
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++) {
        snprintf(prefix, sizeof prefix, "%s=", setting->word);
        output_text(out, space);
        print_setting(out, prefix, setting);
        space = " ";
    }
}

/* The built-in vocabularies, and the estimate. */
static void print_tokenizers(output *out)
{
    for (size_t i = 0; pith_vocab_name_at(i) != NULL; i++)
        output_format(out, "%s ", pith_vocab_name_at(i));
    output_text(out, "estimate");
}

/* The words an option's value may be; false when it may be anything. */
static bool print_values(output *out, const option *opt)
{
    switch (opt->kind) {
    case VALUE_READ_FORMAT:
        print_formats(out, PITH_READ);
        return true;
    case VALUE_WRITE_FORMAT:
        print_formats(out, PITH_WRITE);
        return true;
    case VALUE_SETTING:
        print_settings(out);
        return true;
    case VALUE_TOKENIZER:
        print_tokenizers(out);
        return true;
    case VALUE_CHOICE:
        print_choices(out, "", opt->choices);
        return true;
    case VALUE_NONE:
    case VALUE_FILE:
    case VALUE_NUMBER:
    case VALUE_SIZE:
    case VALUE_TEXT:
        break;
    }
    return false;
}

static void print_operands(output *out, operand_kind kind)
{
    if (kind == OPERAND_FORMATS)
        print_formats(out, PITH_READ | PITH_WRITE);
    else if (kind == OPERAND_COMMANDS)
        print_commands(out);
}

static void print_long_options(output *out, const command *cmd)
{
    for (const option_id *id = cmd->options; *id != OPTION_END; id++)
        output_format(out, "%s--%s", id == cmd->options ? "" : " ", option_of(*id)->word);
}

/* --- bash */

static void bash_value(output *out, const option *opt)
{
    output_format(out, "        --%s", opt->word);
    if (opt->letter != 0)
        output_format(out, "|-%c", opt->letter);
    output_text(out, ")\n            words='");
    bool listed = print_values(out, opt);
    output_text(out, listed ? "' ;;\n" : "' files=1 ;;\n");
}

static void bash_command(output *out, const command *cmd)
{
    output_format(out, "        %s)\n            options='", cmd->name);
    print_long_options(out, cmd);
    output_text(out, "'\n            words='");
    print_operands(out, cmd->takes);
    output_text(out, "' ;;\n");
}

static void bash_print(output *out)
{
    output_text(out,
                "# bash completion for pith\n"
                "_pith() {\n"
                "    local current=${COMP_WORDS[COMP_CWORD]}\n"
                "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    local command=convert options= words= files= word equals= prefix=\n"
                "    # bash splits --from=json, and json.ascii=true, into three words\n"
                "    if [[ $current == '=' ]]; then\n"
                "        current= equals=1\n"
                "    elif [[ $previous == '=' && $COMP_CWORD -gt 1 ]]; then\n"
                "        previous=${COMP_WORDS[COMP_CWORD-2]} equals=1\n"
                "    fi\n"
                "    if [[ -n $equals && $previous != -* ]]; then\n"
                "        prefix=$previous= current=$previous=$current previous=--set\n"
                "    fi\n"
                "    case $previous in\n");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_of((option_id)i)->kind != VALUE_NONE)
            bash_value(out, option_of((option_id)i));
    output_text(out, "        *) previous= ;;\n    esac\n"
                     "    if [[ -n $previous ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                     "        [[ -n $files ]] &&"
                     " COMPREPLY=($(compgen -f -- \"$current\"))\n"
                     "        [[ ${COMPREPLY[0]-} == *= ]] &&"
                     " compopt -o nospace 2>/dev/null\n"
                     "        COMPREPLY=(\"${COMPREPLY[@]#\"$prefix\"}\")\n"
                     "        return\n"
                     "    fi\n"
                     "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                     "        case \" ");
    print_commands(out);
    output_text(out, " \" in\n"
                     "        *\" $word \"*) command=$word; break ;;\n"
                     "        esac\n"
                     "    done\n"
                     "    case $command in\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        bash_command(out, command_at(i));
    output_text(out, "    esac\n"
                     "    if [[ $current == -* ]]; then\n"
                     "        words=$options\n"
                     "    elif [[ $COMP_CWORD -eq 1 ]]; then\n"
                     "        words='");
    print_commands(out);
    output_text(out, "'\n"
                     "    fi\n"
                     "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                     "}\n"
                     "complete -o default -F _pith pith\n");
}

/* --- zsh */

/* Text inside single quotes and a zsh option description. */
static void zsh_text(output *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            output_text(out, "'\\''");
        else
            output_format(out, strchr("[]:\\", *text) != NULL ? "\\%c" : "%c", *text);
}

static void zsh_option(output *out, const option *opt)
{
    bool repeats = opt->kind == VALUE_SETTING || opt->kind == VALUE_TEXT;
    const char *repeat = repeats ? "*" : "";
    for (int letter = 0; letter < 2; letter++) {
        if (letter == 1 && opt->letter == 0)
            continue;
        if (letter == 1) {
            output_format(out, "                '%s-%c", repeat, opt->letter);
        } else {
            output_format(out, "                '%s--%s", repeat, opt->word);
            output_text(out, opt->kind == VALUE_NONE ? "" : "=");
        }
        output_text(out, "[");
        zsh_text(out, opt->help);
        output_text(out, "]");
        if (opt->kind == VALUE_FILE) {
            output_text(out, ":file:_files");
        } else if (opt->kind == VALUE_NUMBER) {
            output_text(out, ":number:");
        } else if (opt->kind == VALUE_TEXT || opt->kind == VALUE_SIZE) {
            output_text(out, ":text:");
        } else if (opt->kind != VALUE_NONE) {
            output_text(out, ":value:(");
            print_values(out, opt);
            output_text(out, ")");
        }
        output_text(out, "' \\\n");
    }
}

static void zsh_command(output *out, const command *cmd)
{
    output_format(out, "        %s)\n            _arguments -s \\\n", cmd->name);
    for (const option_id *id = cmd->options; *id != OPTION_END; id++)
        zsh_option(out, option_of(*id));
    output_text(out, "                '*:word:");
    if (cmd->takes == OPERAND_FILES) {
        output_text(out, "_files");
    } else {
        output_text(out, "(");
        print_operands(out, cmd->takes);
        output_text(out, ")");
    }
    output_text(out, "' ;;\n");
}

static void zsh_print(output *out)
{
    output_text(out, "#compdef pith\n"
                     "_pith() {\n"
                     "    local command=convert\n"
                     "    local -a commands\n"
                     "    commands=(\n");
    for (size_t i = 0; command_at(i) != NULL; i++) {
        output_format(out, "        '%s:", command_at(i)->name);
        zsh_text(out, command_at(i)->summary);
        output_text(out, "'\n");
    }
    output_text(out, "    )\n"
                     "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
                     "        _describe command commands\n"
                     "        _files\n"
                     "        return\n"
                     "    fi\n"
                     "    if (( ${commands[(I)$words[2]:*]} )); then\n"
                     "        command=$words[2]\n"
                     "        shift words\n"
                     "        (( CURRENT-- ))\n"
                     "    fi\n"
                     "    case $command in\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        zsh_command(out, command_at(i));
    output_text(out, "    esac\n"
                     "}\n"
                     "if [[ $funcstack[1] == _pith ]]; then\n"
                     "    _pith \"$@\"\n"
                     "else\n"
                     "    compdef _pith pith\n"
                     "fi\n");
}

/* --- fish */

static void fish_text(output *out, const char *text)
{
    for (; *text != '\0'; text++)
        output_format(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* The condition under which a line counts: this command, or no command at all. */
static void fish_condition(output *out, const command *cmd)
{
    output_text(out, "complete -c pith -n '");
    if (cmd == &command_convert) {
        output_text(out, "not __fish_seen_subcommand_from");
        for (size_t i = 0; command_at(i) != NULL; i++)
            if (command_at(i) != cmd)
                output_format(out, " %s", command_at(i)->name);
    } else {
        output_format(out, "__fish_seen_subcommand_from %s", cmd->name);
    }
    output_text(out, "'");
}

static void fish_option(output *out, const command *cmd, const option *opt)
{
    fish_condition(out, cmd);
    output_format(out, " -l %s", opt->word);
    if (opt->letter != 0)
        output_format(out, " -s %c", opt->letter);
    if (opt->kind == VALUE_FILE) {
        output_text(out, " -r -F");
    } else if (opt->kind != VALUE_NONE) {
        output_text(out, " -x -a '");
        print_values(out, opt);
        output_text(out, "'");
    }
    output_text(out, " -d '");
    fish_text(out, opt->help);
    output_text(out, "'\n");
}

static void fish_command(output *out, const command *cmd)
{
    output_format(out, "complete -c pith -n __fish_use_subcommand -a %s -d '", cmd->name);
    fish_text(out, cmd->summary);
    output_text(out, "'\n");
    if (cmd->takes != OPERAND_FILES) {
        fish_condition(out, cmd);
        output_text(out, " -f -a '");
        print_operands(out, cmd->takes);
        output_text(out, "'\n");
    }
    for (const option_id *id = cmd->options; *id != OPTION_END; id++)
        fish_option(out, cmd, option_of(*id));
}

static void fish_print(output *out)
{
    output_text(out, "# fish completion for pith\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        fish_command(out, command_at(i));
}

void completions_print(output *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        bash_print(out);
    else if (strcmp(shell, "zsh") == 0)
        zsh_print(out);
    else
        fish_print(out);
}
