#!/bin/sh
# Boots systemd as the first process of new namespaces, in a root that is empty but for /usr.
#
# Runs as root in new mount, pid, cgroup, ipc, uts and network namespaces, below a cgroup of its own.
# $1 is an empty folder for the root, $2 a folder that the new machine finds as /mnt, for reading.
set -eu
root=$1

# Nothing that is mounted here is seen outside, and all of it goes with the last process.
mount --make-rprivate /
mount -t tmpfs -o mode=755,size=2g manse "$root"
mkdir -p "$root/etc/systemd/system" "$root/var/lib" "$root/var/cache" "$root/var/log" "$root/mnt" \
    "$root/usr" "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root/opt" "$root/srv" \
    "$root/home" "$root/old"
mkdir -m 0700 "$root/root"
mkdir -m 1777 "$root/tmp" "$root/var/tmp"

# Programs and libraries are those of this machine; what was installed into it by hand is not there.
mount --bind /usr "$root/usr"
mount -o remount,bind,ro "$root/usr"
mount -t tmpfs -o mode=755 manse "$root/usr/local"
mkdir "$root/usr/local/bin"
for name in bin lib lib32 lib64 libx32 sbin; do
    if [ -L "/$name" ]; then ln -s "usr/$name" "$root/$name"; fi
done
mount --bind "$2" "$root/mnt"
mount -o remount,bind,ro "$root/mnt"

# The kernel is this machine's too: nothing may set it.
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
if [ -e "$root/proc/sysrq-trigger" ]; then mount --bind /dev/null "$root/proc/sysrq-trigger"; fi
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755,nosuid manse "$root/dev"
for name in null zero full random urandom tty; do
    : >"$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev manse "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=755,nosuid,nodev manse "$root/run"

# As little as a minimal Debian has; names are looked up in files alone, without libnss-systemd.
cd "$root/etc"
echo 'root:x:0:0:root:/root:/bin/sh' >passwd
echo 'root:x:0:' >group
printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >nsswitch.conf
echo '127.0.0.1 localhost play.example.org' >hosts
: >machine-id
for name in dbus.service dbus.socket systemd-logind.service getty.target; do
    ln -s /dev/null "systemd/system/$name"
done

cd "$root"
pivot_root . old
umount -l /old
rmdir /old
exec env -i container=manse PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --bounding-set=-sys_boot,-sys_module,-sys_rawio,-sys_time,-syslog,-wake_alarm \
    /usr/lib/systemd/systemd --show-status=0 systemd.unit=multi-user.target
