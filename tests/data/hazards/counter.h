#define NEXT (__COUNTER__ * 2)
