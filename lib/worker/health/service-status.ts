import type { Address } from "viem";
import { sql } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { CHAIN_IDS, chainEnv, publicClient } from "@/lib/chain/clients";
import { hasOwnVerifiers } from "@/lib/chain/has-own-verifiers";
import { readMismatches } from "@/lib/settlement/read-mismatches";
import { inTime, keptBriefly } from "./in-time";
import { databaseState } from "./readiness";

type PartState =
  | "ok"
  | "unreachable"
  // The database, as in `readiness`.
  | "not_migrated"
  | "read_only"
  | "wrong_chain"
  | "no_ledger"
  // The ledger's verifiers don't match the proving keys of this build.
  | "other_ledger"
  | "asset_not_listed"
  | "no_heartbeat"
  // Payments differ from what the chain shows, and have not been repaired.
  | "mismatch";

/** The state of everything the service needs to settle payments, part by part. */
interface ServiceStatus {
  ok: boolean;
  parts: Record<string, { state: PartState }>;
}

/** For how long a worker counts as alive after a heartbeat. */
export const HEARTBEAT_SECONDS = 15;
/** The address by which the ledger denotes ETH. */
const ETH: Address = "0x0000000000000000000000000000000000000000";

async function worker(): Promise<PartState> {
  const [row] = await sql()<{ alive: boolean }[]>`
    select exists (
      select from worker_heartbeats where beat_at > now() - make_interval(secs => ${HEARTBEAT_SECONDS})
    ) as alive`;
  return row?.alive ? "ok" : "no_heartbeat";
}

async function chain(chainId: ChainId): Promise<PartState> {
  const served = await publicClient(chainId).getChainId();
  return served === chainId ? "ok" : "wrong_chain";
}

async function contracts(chainId: ChainId): Promise<PartState> {
  const { ledger, usdg } = chainEnv(chainId);
  const client = publicClient(chainId);
  if (!(await client.getCode({ address: ledger }))) return "no_ledger";
  if (!(await hasOwnVerifiers(chainId))) return "other_ledger";
  for (const asset of [usdg, ETH]) {
    const [listed] = await client.readContract({
      address: ledger,
      abi: ledgerAbi,
      functionName: "assetOf",
      args: [asset],
    });
    if (!listed) return "asset_not_listed";
  }
  return "ok";
}

async function payments(chainId: ChainId): Promise<PartState> {
  const rows = await readMismatches();
  return rows.some(({ chain_id }) => chain_id === chainId) ? "mismatch" : "ok";
}

async function look(): Promise<ServiceStatus> {
  const checks: [string, Promise<PartState>][] = [
    ["database", databaseState()],
    ["worker", worker()],
    ...CHAIN_IDS.flatMap((id): [string, Promise<PartState>][] => [
      [`chain_${id}`, chain(id)],
      [`contracts_${id}`, contracts(id)],
      [`payments_${id}`, payments(id)],
    ]),
  ];
  const states = await Promise.all(
    checks.map(async ([name, check]) => [name, { state: await inTime(check) }] as const),
  );
  return { ok: states.every(([, { state }]) => state === "ok"), parts: Object.fromEntries(states) };
}

/**
 * Checks the database, the workers, both chains with their contracts, and whether payments match the chains. Returns
 * within about two seconds. For people and alarms; whether requests should be sent to a process is `readiness`.
 */
export const serviceStatus = keptBriefly(look);
