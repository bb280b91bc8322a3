@block@
