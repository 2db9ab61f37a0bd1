#!/bin/sh
# Runs inside the new root filesystem, as its root, after all packages are installed.
set -eu
useradd --create-home --uid 1000 --shell /bin/sh agent
# The user of guest program and X server in a sandbox.
useradd --no-create-home --home-dir /nonexistent --uid 1001 --shell /usr/sbin/nologin pptarena
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
# That start may end before it notes for which build the profile's extensions were looked through.
# Without the note each start looks through them, ends with code 81 and has to be made once more.
user=/usr/share/pptarena/home/.config/libreoffice/4/user
mkdir -p "$user/extensions"
sed -n 's/^buildid=//p' /usr/lib/libreoffice/program/versionrc | tr -d '\n' > "$user/extensions/buildid"
test -s "$user/extensions/buildid"
chmod -R a+rX /usr/share/pptarena  # the guest program reads it again without powers
rm -rf /tmp/first
# The registry: what nobody can change, and no layers that extensions or dconf could add.
cd /usr/lib/libreoffice
install -m 644 /tmp/locked.xcd share/registry/pptarena.xcd
rm /tmp/locked.xcd
sed -i -e 's/ dconf:.* user:!/ user:!/' -e '/^URE_MORE_JAVA/d' \
    -e 's|^URE_MORE_SERVICES=.*|URE_MORE_SERVICES=<$ORIGIN/services>*|' \
    -e 's|^URE_MORE_TYPES=.*|URE_MORE_TYPES=<$ORIGIN/types>*|' program/fundamentalrc
# What runs or starts code in the application: script languages and their samples, wizards,
# extensions, Java, mail, import by other programs, scanners, files of other computers.
(cd program && rm -r libscriptframe.so libprotocolhandlerlo.so libpythonloaderlo.so pythonloader.* \
    services/pyuno.rdb mailmerge.py msgbox.py wizards libdeploymentgui.so libunopkgapp.so unopkg* \
    libjavaloaderlo.so libjavavmlo.so classes libcmdmaillo.so senddoc libpdfimportlo.so xpdfimport \
    libscnlo.so libvbaobjlo.so libldapbe2lo.so libucpcmis1lo.so libucpdav1.so)
(cd share && rm -r Scripts basic/* wizards registry/pdfimport.xcd registry/xsltfilter.xcd)
# Of GStreamer what reads and decodes files: no network, camera, screen or other recorder. What is
# there is listed once and for all: looking it up at a first film would start a helper program.
(cd /usr/lib/*/gstreamer-1.0 && mkdir kept && mv libgstcoreelements.so libgstplayback.so \
    libgsttypefindfunctions.so libgstapp.so libgstautodetect.so libgstgtk.so libgstaudioconvert.so \
    libgstaudioresample.so libgstvolume.so libgstvideoconvertscale.so libgstdeinterlace.so \
    libgstvideofilter.so libgstavi.so libgstisomp4.so libgstmatroska.so libgstogg.so libgstwavparse.so \
    libgstflv.so libgstid3demux.so libgstaudioparsers.so libgstjpeg.so libgstpng.so libgsttheora.so \
    libgstvpx.so libgstvorbis.so libgstopus.so libgstflac.so libgstmpg123.so libgstalaw.so \
    libgstmulaw.so kept && find . -maxdepth 1 -name '*.so' -delete && mv kept/* . && rmdir kept)
GST_REGISTRY=/usr/share/pptarena/gstreamer.bin GST_REGISTRY_FORK=no python3 -c \
    'import ctypes; ctypes.CDLL("libgstreamer-1.0.so.0").gst_init(None, None)'
chmod a+r /usr/share/pptarena/gstreamer.bin
# Help that is not there is not looked for elsewhere: a browser could not be started.
awk '/id="(website|downloadinfo|hidedialog)"/ { hidden = 1 }
    hidden && /name="visible"/ { sub("True", "False"); hidden = 0 }
    { print }' share/config/soffice.cfg/sfx/ui/helpmanual.ui > /tmp/helpmanual.ui
install -m 644 /tmp/helpmanual.ui share/config/soffice.cfg/sfx/ui/helpmanual.ui
rm /tmp/helpmanual.ui
cd /
# The bus starts programs of the image only, and these two are of no use there.
rm /usr/share/dbus-1/services/ca.desrt.dconf.service \
    /usr/share/dbus-1/services/org.freedesktop.systemd1.service
# A cache counts as long as its folder is as old as it was then, and what is newer than the start of
# the build becomes as old as that when the image is packed.
find /usr/share/fonts /usr/local/share/fonts -type d -exec touch -d '2026-01-01 UTC' {} +
fc-cache --system-only --force
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /usr/share/libreoffice/help
