"""Virtual machines: processes of QEMU, their kept states, and forks of them."""
