static void wait_for_the_wire(void) {}
int component_open(void);
void component_close(void);
void send_one(void);

@block@
