import { closeDb } from "@/db/client";
import { verifyAuditChains } from "@/lib/audit/verify-chains";
import { StackError } from "./stack/config";
import { adoptRunningStack } from "./stack/running-env";

// `npm run audit:verify`: recomputes every chain of the audit log. May run beside the product; it only reads.
try {
  await adoptRunningStack();
  const { entries, chains, broken } = await verifyAuditChains();
  for (const { rootId, chainId, position, id, problem } of broken) {
    console.error(`${rootId} on chain ${chainId}: entry ${position}${id ? ` (${id})` : ""} ${problem}`);
  }
  if (broken.length === 0) console.log(`${entries} entries in ${chains} chains verified`);
  else process.exitCode = 1;
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
} finally {
  await closeDb();
}
