import type { Attack } from "./findings";
import { agentKeyThief } from "./rows/agent-key-thief";
import { badJavaScript } from "./rows/bad-javascript";
import { databaseWriter } from "./rows/database-writer";
import { guardedServer } from "./rows/guarded-server";
import { ownLimits } from "./rows/own-limits";
import { product } from "./rows/product";
import { restoredDatabase } from "./rows/restored-database";
import { rotatedSecret } from "./rows/rotated-secret";
import { unguardedServer } from "./rows/unguarded-server";

/** Every row, in the order in which the table is shown. */
export const ATTACKS: readonly Attack[] = [
  product,
  guardedServer,
  ownLimits,
  unguardedServer,
  databaseWriter,
  badJavaScript,
  agentKeyThief,
  rotatedSecret,
  // Last: the database goes back to what it was before this one paid.
  restoredDatabase,
];
