void count(int *at)
{
    ++*at; //~ race
}
