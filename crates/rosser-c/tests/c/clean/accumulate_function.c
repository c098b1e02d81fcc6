// Accumulators with a function: the longest word, of equally long ones the first in the alphabet; and a
// histogram, which is larger than a word.
#include <string.h>

#include "rosser.h"

static const char *words[] = {"a", "task", "may", "outlive", "its", "parent", "not", "finish"};
enum { WORDS = sizeof words / sizeof *words };

struct histogram {
    int letters[26];
};

static rosser_accumulator *longest, *histogram;

static void longer(void *total, void *value, void *context)
{
    const char **first = total, *const *second = value;
    size_t a = strlen(*first), b = strlen(*second);
    if (b > a || (b == a && strcmp(*second, *first) < 0)) {
        *first = *second;
    }
    (void)context;
}

static void add(void *total, void *value, void *context)
{
    struct histogram *first = total, *second = value;
    for (int i = 0; i < 26; i++) {
        first->letters[i] += second->letters[i] * *(int *)context;
    }
}

static void task(rosser_scope *s, void *arg)
{
    const char *word = *(const char **)arg;
    struct histogram own = {{0}};
    for (const char *letter = word; *letter; letter++) {
        own.letters[*letter - 'a']++;
    }
    rosser_accumulate(longest, &word);
    rosser_accumulate(histogram, &own);
}

static void program(rosser_scope *s, void *arg)
{
    for (int i = 0; i < WORDS; i++) {
        rosser_async(s, task, &words[i]);
    }
}

int main(void)
{
    const char *none = "", *word;
    struct histogram zero = {{0}}, all;
    int once = 1;
    longest = rosser_accumulator_new(longer, NULL, &none, sizeof none);
    histogram = rosser_accumulator_new(add, &once, &zero, sizeof zero);
    rosser_finish(program, NULL);
    rosser_accumulated(longest, &word);
    rosser_accumulated(histogram, &all);
    rosser_accumulator_free(longest);
    rosser_accumulator_free(histogram);
    return !strcmp(word, "outlive") && all.letters['t' - 'a'] == 5 ? 0 : 1;
}
