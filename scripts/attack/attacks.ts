import type { Attack } from "./findings";
import { agentKeyThief } from "./rows/agent-key-thief";
import { badJavaScript } from "./rows/bad-javascript";
import { blindAgent } from "./rows/blind-agent";
import { blindKeyThief } from "./rows/blind-key-thief";
import { blindServer } from "./rows/blind-server";
import { databaseWriter } from "./rows/database-writer";
import { guardedServer } from "./rows/guarded-server";
import { ownLimits } from "./rows/own-limits";
import { product } from "./rows/product";
import { proxyNeighbor } from "./rows/proxy-neighbor";
import { restoredDatabase } from "./rows/restored-database";
import { rotatedSecret } from "./rows/rotated-secret";
import { unguardedServer } from "./rows/unguarded-server";

/** All attacks, in the order of the table. */
export const ATTACKS: readonly Attack[] = [
  product,
  guardedServer,
  ownLimits,
  unguardedServer,
  blindServer,
  blindKeyThief,
  proxyNeighbor,
  databaseWriter,
  badJavaScript,
  agentKeyThief,
  blindAgent,
  rotatedSecret,
  // Last, because it restores the database to a state before its own payment.
  restoredDatabase,
];
