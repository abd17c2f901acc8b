/*
 * completions.c - completions for bash, zsh and fish.
 *
 * A shell gets a few lines that call `pith help --complete -- WORDS...` with the words of
 * the command line up to the cursor, of which the last is being typed. The answer is what
 * that word could become, one a line, with a tab and a description after it where there is
 * one; nothing where it may be anything, such as the name of a file. So the shells know
 * nothing of options and formats, and the answer is always that of this build.
 */
#include "completions.h"

#include <stdio.h>
#include <string.h>

/* A word that is being typed. */
typedef struct typing {
    output *out;
    const char *word;   /* what is there of it */
    size_t keep;        /* of its bytes, those before what is completed: "--from=" */
    size_t skip;        /* and those that the shell takes for other words */
    const char *before; /* the word before it; "" for none */
    const command *cmd;
} typing;

/* Prints a word if it is one that the typed word can become. */
static void offer(const typing *at, const char *name, const char *value,
                  const char *description)
{
    char word[256];
    snprintf(word, sizeof word, "%.*s%s%s", (int)at->keep, at->word, name, value);
    if (strncmp(word, at->word, strlen(at->word)) == 0) {
        output_format(at->out, "%s%s%s\n", word + at->skip,
                      description[0] != '\0' ? "\t" : "", description);
    }
}

static void offer_commands(const typing *at)
{
    for (size_t i = 0; command_at(i) != NULL; i++)
        offer(at, command_at(i)->name, "", command_at(i)->summary);
}

static void offer_formats(const typing *at, unsigned side)
{
    for (size_t i = 0; pith_format_at(i) != NULL; i++)
        if ((pith_format_at(i)->direction & side) != 0)
            offer(at, pith_format_at(i)->name, "", "");
}

/* The values in "a|b|c", each after `name`. */
static void offer_choices(const typing *at, const char *name, const char *choices)
{
    while (*choices != '\0') {
        char value[64];
        size_t len = strcspn(choices, "|");
        snprintf(value, sizeof value, "%.*s", (int)len, choices);
        offer(at, name, value, "");
        choices += len + (choices[len] == '|');
    }
}

/* One setting: "json.indent=", or with its values. */
static void offer_setting(const typing *at, const char *scope,
                          const pith_setting *setting)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s%s=", scope, scope[0] != '\0' ? "." : "",
             setting->word);
    if (setting->type == PITH_SETTING_BOOL)
        offer_choices(at, name, "true|false");
    else if (setting->type == PITH_SETTING_CHOICE)
        offer_choices(at, name, setting->choices);
    else
        offer(at, name, "", "");
}

/* Every setting of every format, and those they all have. */
static void offer_settings(const typing *at)
{
    const pith_format *format;
    const pith_setting *setting;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++)
        for (size_t j = 0; j < format->setting_count; j++)
            offer_setting(at, format->name, &format->settings[j]);
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++)
        offer_setting(at, "", setting);
}

static void offer_values(const typing *at, const option *opt)
{
    switch (opt->kind) {
    case VALUE_READ_FORMAT:
        offer_formats(at, PITH_READ);
        break;
    case VALUE_WRITE_FORMAT:
        offer_formats(at, PITH_WRITE);
        break;
    case VALUE_SETTING:
        offer_settings(at);
        break;
    case VALUE_TOKENIZER:
        for (size_t i = 0; pith_vocab_name_at(i) != NULL; i++)
            offer(at, pith_vocab_name_at(i), "", "");
        offer(at, "estimate", "", "");
        break;
    case VALUE_CHOICE:
        offer_choices(at, "", opt->choices);
        break;
    case VALUE_NONE:
    case VALUE_FILE:
    case VALUE_NUMBER:
    case VALUE_SIZE:
    case VALUE_TEXT:
        break;
    }
}

static void offer_words(const typing *at)
{
    if (at->word[0] == '-')
        for (const option_id *id = at->cmd->options; *id != OPTION_END; id++)
            offer(at, "--", option_of(*id)->word, option_of(*id)->help);
    else if (at->cmd->takes == OPERAND_FORMATS)
        offer_formats(at, PITH_READ | PITH_WRITE);
    else if (at->cmd->takes == OPERAND_COMMANDS || at->before[0] == '\0')
        offer_commands(at);
}

/* The option with a value that a word spells, as "--from", "--from=json" or "-f"; NULL for
 * all other words. */
static const option *spelled_option(const char *word)
{
    size_t len = strcspn(word, "=");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option *opt = option_of((option_id)i);
        bool named = len > 2 && strncmp(word, "--", 2) == 0 &&
                     strlen(opt->word) == len - 2 &&
                     strncmp(opt->word, word + 2, len - 2) == 0;
        bool lettered = opt->letter != 0 && word[0] == '-' && word[1] == opt->letter &&
                        word[2] == '\0';
        if ((named || lettered) && opt->kind != VALUE_NONE)
            return opt;
    }
    return NULL;
}

void completions_offer(output *out, const char *const *words, size_t count)
{
    char joined[256];
    typing at = {.out = out, .word = "", .before = "", .cmd = &command_convert};
    /* bash makes three words of --from=json, or two while there is nothing after "=". */
    bool ends = count >= 2 && strcmp(words[count - 1], "=") == 0;
    bool split = count >= 3 && strcmp(words[count - 2], "=") == 0;
    if (ends || split) {
        size_t name = count - (split ? 3 : 2);
        snprintf(joined, sizeof joined, "%s=%s", words[name],
                 split ? words[count - 1] : "");
        at.word = joined;
        at.skip = strlen(words[name]) + 1;
        count = name + 1;
    } else if (count > 0) {
        at.word = words[count - 1];
    }
    for (size_t i = count > 0 ? count - 1 : 0; i-- > 0;)
        if (command_find(words[i]) != NULL)
            at.cmd = command_find(words[i]);
    if (count > 1)
        at.before = words[count - 2];
    const option *in_word = strchr(at.word, '=') != NULL ? spelled_option(at.word) : NULL;
    const option *before = spelled_option(at.before);
    if (in_word != NULL)
        at.keep = strcspn(at.word, "=") + 1;
    if (in_word != NULL || before != NULL)
        offer_values(&at, in_word != NULL ? in_word : before);
    else
        offer_words(&at);
}

/* --- what the shells get */

static const char bash_script[] =
    "# bash completion for pith\n"
    "_pith() {\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(pith help --complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\""
    " 2>/dev/null))\n"
    "    COMPREPLY=(\"${COMPREPLY[@]%%$'\\t'*}\")\n"
    "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "}\n"
    "complete -o default -F _pith pith\n";

static const char zsh_script[] =
    "#compdef pith\n"
    "_pith() {\n"
    "    local -a found shown\n"
    "    found=(${(f)\"$(pith help --complete -- \"${(@)words[2,CURRENT]}\""
    " 2>/dev/null)\"})\n"
    "    shown=(\"${(@)found/$'\\t'/  }\")\n"
    "    found=(\"${(@)found%%$'\\t'*}\")\n"
    "    if (( ! $#found )) || [[ -z $found[1] ]]; then\n"
    "        _files\n"
    "    elif [[ $found[1] == *= ]]; then\n"
    "        compadd -S '' -d shown -a found\n"
    "    else\n"
    "        compadd -d shown -a found\n"
    "    fi\n"
    "}\n"
    "if [[ $funcstack[1] == _pith ]]; then\n"
    "    _pith \"$@\"\n"
    "else\n"
    "    compdef _pith pith\n"
    "fi\n";

static const char fish_script[] =
    "# fish completion for pith\n"
    "function __pith_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l current (commandline -ct)\n"
    "    set -l found (pith help --complete -- $words[2..-1] \"$current\" 2>/dev/null)\n"
    "    if test (count $found) -gt 0\n"
    "        printf '%s\\n' $found\n"
    "    else\n"
    "        __fish_complete_path \"$current\"\n"
    "    end\n"
    "end\n"
    "complete -c pith -f -a '(__pith_complete)'\n";

void completions_print(output *out, const char *shell)
{
    output_text(out, strcmp(shell, "bash") == 0  ? bash_script
                     : strcmp(shell, "zsh") == 0 ? zsh_script
                                                 : fish_script);
}
