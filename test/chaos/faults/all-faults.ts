import { crashRedis, freezeRedis } from './break-redis.ts'
import { breakProvider, breakReceivers } from './break-surroundings.ts'
import { crashPrimary } from './crash-primary.ts'
import { cutNetwork } from './cut-network.ts'
import { cutReplication } from './cut-replication.ts'
import { exhaustConnections } from './exhaust-connections.ts'
import { failOver } from './fail-over.ts'
import type { Fault } from './fault.ts'
import { fillDisk } from './fill-disk.ts'
import { freezePrimary, freezeStandby } from './freeze-database.ts'
import { exhaustPool, lockTable } from './lock-table.ts'
import { loseStandby } from './lose-standby.ts'
import { stepClock } from './step-clock.ts'
import { freezeProcess, killProcess, restartProcess } from './stop-process.ts'
import { switchOver } from './switch-over.ts'
import { terminateConnections } from './terminate-connections.ts'

export const allFaults: readonly Fault[] = [
  crashPrimary,
  failOver,
  switchOver,
  freezePrimary,
  freezeStandby,
  loseStandby,
  cutReplication,
  fillDisk,
  lockTable,
  exhaustPool,
  exhaustConnections,
  terminateConnections,
  ...cutNetwork,
  crashRedis,
  freezeRedis,
  killProcess,
  restartProcess,
  freezeProcess,
  breakProvider,
  breakReceivers,
  stepClock,
]
