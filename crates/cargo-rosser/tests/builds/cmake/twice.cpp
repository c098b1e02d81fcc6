extern "C" void count(int *at);

extern "C" void count_twice(int *at)
{
    count(at);
    count(at);
}
