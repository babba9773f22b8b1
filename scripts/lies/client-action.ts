import { throwHalcyonError } from "@/sdk/api/to-halcyon-error";
import type { HalcyonClient } from "@/sdk/halcyon-client";
import type { Meddle } from "@/test/services/in-process-service";
import type { World } from "./lying-service";

/** Something that a client does over a service. */
export interface Verb {
  name: string;
  /** The methods of the client that it shows, as `resource.method`, or commands, as `halcyon words`. */
  of: readonly string[];
  /** What has to move on the chain, or be set there; nothing for a verb that only reports. */
  moves?: (world: World) => string[];
  /** Fields of its report that only the service says. */
  labels?: readonly string[];
  /** Whether a service may say by a lie that there is nothing to do: an empty list, and nothing moves. */
  mayRest?: (lie: string) => boolean;
  /**
   * How many of its payments a report counts as made, if those that a lie touches fail alone and are counted so; from and
   * to, if it leaves some open.
   */
  madeIn?: (report: unknown) => number | readonly [number, number];
  /** Whether it runs after those that are not, because it changes who may pay from the account. */
  last?: boolean;
  /** Whether it runs in a world of its own, because it changes every agent that there is. */
  alone?: boolean;
  /** Whether it runs on a machine that sees the service for the first time. */
  firstSight?: boolean;
  /** Prepares one run, with an honest service. */
  before?: (world: World) => Promise<string>;
  /** A text that it returns is what a command prints. */
  run(client: HalcyonClient, world: World, prepared: string, meddle?: Meddle): Promise<unknown>;
}

export const NOBODY = "0x000000000000000000000000000000000000dead";
export const AMOUNT = "0.01";
export const EVER = { from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" };
export const bot = ({ agent }: World) => `@${agent.account.handle}`;
export const payee = (world: World) => `@${world.payee.account.handle}`;
/** Returns what the chain shows of one payment of {@link AMOUNT}. */
export const sent = (who: string, how: string, what: string, whom: string) => [
  `${who} ${how} ${AMOUNT} ${what} to ${whom}`,
];

/** Reads a list to its end. */
export async function entries(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const entry of list) all.push(entry);
  return all;
}

/** Has the errors of a part of the client that is no method, as its callers in the dashboard have them. */
export const translated = <T>(work: Promise<T>): Promise<T> => work.catch(throwHalcyonError);

/** Returns a verb on a machine without pins: what it pays is named by its address, which no service can change. */
export const atFirstSight = (verb: Verb): Verb => ({ ...verb, name: `${verb.name}, first sight`, firstSight: true });
