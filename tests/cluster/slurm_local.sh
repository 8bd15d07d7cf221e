#!/bin/sh
# A SLURM of one node in a folder, for tests: `slurm_local.sh start FOLDER [CPUS]`, then SLURM_CONF=FOLDER/slurm.conf,
# then `slurm_local.sh stop FOLDER`. Needs root, for munged runs as its own user, and the packages slurm-wlm,
# slurm-wlm-basic-plugins and munge. No services of the system are touched: ports, sockets and state are its own.
set -eu
action=$1
folder=$2
host=$(hostname -s)

# Nothing of their state is wanted: to end in good order takes them seconds.
stop() {
  for name in slurmd slurmctld munge; do
    [ -f "$folder/$name.pid" ] && kill -9 "$(cat "$folder/$name.pid")" 2>/dev/null
  done
  true
}

if [ "$action" = stop ]; then
  stop
  exit 0
fi

cpus=${3:-4}
mkdir -p "$folder/state" "$folder/spool"
install -d -o munge -g munge "$folder/munge"
head -c 1024 /dev/urandom >"$folder/munge/key"
chown munge: "$folder/munge/key"
chmod 400 "$folder/munge/key"
# Two ports that nobody listens on.
port=$(python3 -c '
import socket
a, b = socket.socket(), socket.socket()
a.bind(("127.0.0.1", 0)), b.bind(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1])')
cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${port% *}
SlurmdPort=${port#* }
CommunicationParameters=NoInAddrAny
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MailProg=/bin/true
MpiDefault=none
MaxArraySize=10001
JobRequeue=1
KillWait=5
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
# Of version 24 slurmd wants control groups where nothing uses them, which containers may not have; 22 does not, and
# knows no such setting.
case "$(slurmd -V)" in
  *" 22."*) ;;
  *) echo "CgroupPlugin=disabled" >"$folder/cgroup.conf" ;;
esac
runuser -u munge -- munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
cp "$folder/munge/pid" "$folder/munge.pid"
SLURM_CONF=$folder/slurm.conf
export SLURM_CONF
slurmctld -c
slurmd
for _ in $(seq 100); do
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && exit 0
  sleep 0.1
done
echo "slurm_local.sh: the node is not idle after 10 s" >&2
cat "$folder/slurmctld.log" "$folder/slurmd.log" >&2
stop
exit 1
