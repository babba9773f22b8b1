import type { Attack } from "./findings";
import { agentKeyThief } from "./rows/agent-key-thief";
import { badJavaScript } from "./rows/bad-javascript";
import { blindServer } from "./rows/blind-server";
import { databaseWriter } from "./rows/database-writer";
import { guardedServer } from "./rows/guarded-server";
import { ownLimits } from "./rows/own-limits";
import { product } from "./rows/product";
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
  databaseWriter,
  badJavaScript,
  agentKeyThief,
  rotatedSecret,
  // Last, because it restores the database to a state before its own payment.
  restoredDatabase,
];
