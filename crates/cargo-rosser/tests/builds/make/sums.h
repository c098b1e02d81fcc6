struct sum {
    const long *from, *to;
    long *total;
};

extern const long start;

void add(struct sum *sum);
