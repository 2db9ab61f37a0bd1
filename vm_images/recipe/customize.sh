#!/bin/sh
# Runs inside the new root filesystem, as its root, after all packages are installed.
set -eu
useradd --create-home --uid 1000 --shell /bin/sh agent
# One machine id for all: machines never meet, and a fixed one makes runs repeat.
echo 5b1d3c8e0f7a4e6b9d2c1a0f3e5d7b90 > /etc/machine-id
mkdir -p /opt/pptarena /var/lib/dbus /tmp/.X11-unix
ln -sf /etc/machine-id /var/lib/dbus/machine-id
site=$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib", "deb_system"))')
cp -r /tmp/site/. "$site"
rm -rf /tmp/site
# By their hashes, not by times: the times of all files are set back afterwards.
python3 -W ignore -m compileall -q --invalidation-mode unchecked-hash "$site" > /dev/null
# The application's profile as a first start leaves it: without it, every machine starts twice.
su agent -c 'HOME=/tmp/first /usr/lib/libreoffice/program/soffice --headless --terminate_after_init'
mkdir -p /usr/share/pptarena/home/.config
cp -r /tmp/first/.config/libreoffice /usr/share/pptarena/home/.config/
rm -rf /tmp/first
fc-cache --system-only --force
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /usr/share/libreoffice/help
