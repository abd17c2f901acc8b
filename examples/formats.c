/*
 * formats.c - what this build reads and writes, and the settings that every format knows,
 * and whose tokens it counts.
 */
#include "pith.h"

#include <stdio.h>

int main(void)
{
    const pith_format *format;
    printf("pith %s\n", pith_version());
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++)
        printf("%-10s %s%s %2zu settings  %s\n", format->name,
               format->direction & PITH_READ ? "r" : "-",
               format->direction & PITH_WRITE ? "w" : "-", format->setting_count,
               format->summary);
    const pith_setting *setting;
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++)
        printf("%-13s %-8s %s\n", setting->word,
               setting->default_value ? setting->default_value : "", setting->help);
    const char *name;
    for (size_t i = 0; (name = pith_vocab_name_at(i)) != NULL; i++)
        printf("tokens of %s\n", name);
    return 0;
}
