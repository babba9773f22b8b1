import { closeDb } from "@/db/client";
import { CHAIN_IDS } from "@/lib/chain/clients";
import { verifyAnchors } from "@/lib/events/audit/verify-anchors";
import { verifyAuditChains } from "@/lib/events/audit/verify-audit-chains";
import { printable } from "./stack/printable";
import { adoptRunningStack } from "./stack/running-env";

// `npm run audit:verify`: recomputes every chain of the audit log and compares it with its anchors on chain. Only
// reads, so it may run while the service runs.
try {
  await adoptRunningStack();
  const { entries, chains, broken } = await verifyAuditChains();
  for (const { rootId, chainId, position, id, problem } of broken) {
    console.error(`${rootId} on chain ${chainId}: entry ${position}${id ? ` (${id})` : ""} ${problem}`);
  }
  if (broken.length === 0) console.log(`${entries} entries in ${chains} chains verified`);
  else process.exitCode = 1;
  for (const chainId of CHAIN_IDS) {
    const { days, problems, notes } = await verifyAnchors(chainId);
    for (const problem of problems) console.error(`chain ${chainId}: ${problem}`);
    for (const note of notes) console.log(`chain ${chainId}: ${note}`);
    if (problems.length === 0) console.log(`chain ${chainId}: ${days} daily anchors hold`);
    else process.exitCode = 1;
  }
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}
