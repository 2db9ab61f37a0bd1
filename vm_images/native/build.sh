#!/bin/sh
# Compiles the libraries into a folder; runs where the packages of recipe/compilers.txt are.
set -eu
cd "$(dirname "$0")"
mkdir -p "$1"
flags="-std=gnu17 -O2 -g0 -fPIC -shared -Wall -Wextra -Werror -Wshadow -Wvla -fstack-protector-strong"
flags="$flags -D_FORTIFY_SOURCE=3 -Wl,-z,relro,-z,now,--no-undefined"
gcc $flags -o "$1/clock.so" clock.c files.c
gcc $flags $(pkg-config --cflags gtk+-3.0 x11 atk atspi-2) -o "$1/observer.so" observer.c paint.c walk.c \
    $(pkg-config --libs gtk+-3.0 x11 atk)
# It takes types from GTK, and its functions by name.
gcc $flags $(pkg-config --cflags gtk+-3.0) -o "$1/style.so" style.c
