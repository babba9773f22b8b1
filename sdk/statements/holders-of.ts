import type { Address } from "viem";
import { findAgent, namedAgents } from "../account/agents";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import { findAgents } from "../chain/recover-scan";
import type { Context } from "../context/context";
import type { StatementInput } from "./statement-input";

/** An account or agent whose movements to read. */
export interface StatementHolder {
  /** Lower case. */
  address: Address;
  /** The handle with its @, or the address if the service returns no handle. */
  name: string;
  /** The block from which to read: it has no earlier events. */
  from: bigint;
}

const lower = (address: string) => address.toLowerCase() as Address;

/**
 * Returns the accounts whose movements an input asks for. The agents of an account are read from the chain, so the
 * service can't leave any out; it only supplies their names.
 *
 * @throws HalcyonError `not_found` for an agent the service does not list, `not_agent_owner` for an agent that belongs
 * to another account on the ledger; PinMismatch if the account had another handle before
 */
export async function holdersOf(
  context: Context,
  chain: Chain,
  { agent, withAgents }: Pick<StatementInput, "agent" | "withAgents">,
): Promise<StatementHolder[]> {
  const viewer = await context.viewer();
  const own = lower(viewer.account);
  const [record, { caller, agents }] = await Promise.all([chain.account(own), namedAgents(context)]);
  const ownName = caller.split("/")[0] ?? caller;
  await context.pins.checkOwnHandle(await context.info(), own, ownName);
  const names = new Map([...agents.map(({ public_key, handle }) => [lower(public_key), handle] as const)]);
  const holder = (address: Address, from: bigint): StatementHolder => ({
    address,
    from,
    name: address === own ? ownName : (names.get(address) ?? address),
  });
  if (agent === undefined && !withAgents) return [holder(own, record.enrolledBlock)];
  const enrolled = (await findAgents(chain, own, record.enrolledBlock)).map(lower);
  if (agent === undefined) {
    return [holder(own, record.enrolledBlock), ...enrolled.map((address) => holder(address, record.enrolledBlock))];
  }
  if (withAgents) {
    throw new HalcyonError("invalid_request", "Name one agent, or ask for all of them.", { param: "withAgents" });
  }
  const { public_key } = await findAgent(context, agent);
  if (enrolled.includes(lower(public_key))) return [holder(lower(public_key), record.enrolledBlock)];
  throw new HalcyonError("not_agent_owner", `The ledger does not have ${agent} as an agent of this account.`);
}
