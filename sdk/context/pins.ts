import type { Address } from "viem";
import type { NetworkInfo } from "../api/network-info";
import { PinMismatch } from "../api/pin-mismatch";

/**
 * Table and key of a pin: `["ledgers", service and network]`, `["handles", ledger, handle]`, `["secrets", ledger, account]`
 * for the highest version of a budget secret that was in force, `["shown funds", ledger, account]` for the highest
 * version of the record of proofs of funds, or `["schedules", ledger, schedule]` for that of a schedule.
 */
export type PinPlace = readonly [string, ...string[]];

/** Where pins are kept: a file of this machine, or a browser's database. */
export interface PinStore {
  /** How a person takes a pin of a table back; ends the sentence "do not pay until you know why; then …". */
  remedy(table: PinPlace[0]): string;
  /**
   * Keeps a value at a place that has none; returns what is kept there. Throws when it cannot know: a forgotten pin would
   * be no protection.
   */
  pin(place: PinPlace, value: string): Promise<string>;
  /** Keeps a whole number at a place unless a higher one is there; returns the highest. Throws as `pin` does. */
  raise(place: PinPlace, value: number): Promise<number>;
  /** What is kept at a place; nothing is written. */
  peek(place: PinPlace): Promise<string | undefined>;
}

/**
 * Remembers at first use which ledger a service names and which address a handle has, so that a service that is taken
 * over later cannot redirect payments of this machine (docs/protocol.md section 9).
 */
export class Pins {
  constructor(private readonly store: PinStore) {}

  /** Pins or checks the ledger of a service. Ledgers of a local stack come and go and are not pinned. */
  async checkLedger(serviceUrl: string, info: NetworkInfo): Promise<void> {
    if (info.local && isLoopback(serviceUrl)) return;
    const seen = ledgerKey(info);
    const pinned = await this.store.pin(["ledgers", `${serviceUrl}#${info.network}`], seen);
    if (pinned === seen) return;
    throw new PinMismatch(
      `${serviceUrl} names another ledger for the ${info.network} network than before. Do not pay until you know why; ` +
        `then ${this.store.remedy("ledgers")}.`,
    );
  }

  /**
   * Remembers the highest version of an account's budget secret, and refuses an older one: a service that is taken over, and
   * names it, would have this machine work under a secret that has leaked.
   */
  async checkSecretVersion(ledger: string, account: Address, version: number): Promise<void> {
    const highest = await this.store.raise(["secrets", ledger, account.toLowerCase()], version);
    if (highest <= version) return;
    throw new PinMismatch(
      `The service names version ${version} of this account's secret, and this machine has seen version ${highest}. ` +
        "Someone may be undoing a rotation. Stop; `halcyon rotate-account-secret` creates a new secret.",
    );
  }

  /** The highest version of the account's budget secret this machine has seen in force; 0 when it has seen none. */
  async secretVersionSeen(ledger: string, account: Address): Promise<number> {
    return Number((await this.store.peek(["secrets", ledger, account.toLowerCase()])) ?? 0);
  }

  /** The highest version of the account's record of proofs of funds this machine has opened or written; 0 for none. */
  async shownFundsSeen(ledger: string, account: Address): Promise<number> {
    return Number((await this.store.peek(["shown funds", ledger, account.toLowerCase()])) ?? 0);
  }

  /** Remembers a version of that record. */
  async seeShownFunds(ledger: string, account: Address, version: number): Promise<void> {
    await this.store.raise(["shown funds", ledger, account.toLowerCase()], version);
  }

  /**
   * Remembers the highest version of a schedule, and refuses an older one: its amounts, recipients and pauses may be others.
   */
  async checkScheduleVersion(ledger: string, schedule: string, version: number): Promise<void> {
    const highest = await this.store.raise(["schedules", ledger, schedule], version);
    if (highest <= version) return;
    throw new PinMismatch(
      `The service shows version ${version} of schedule ${schedule}, and this machine has seen version ${highest}. ` +
        "Nothing was paid. Ask for help: someone may be undoing a change.",
    );
  }

  /** The address a handle had at its first use on this machine. Pins nothing. */
  async addressOf(info: NetworkInfo, handle: string): Promise<Address | undefined> {
    return (await this.store.peek(["handles", ledgerKey(info), handle.toLowerCase()])) as Address | undefined;
  }

  /** Pins or checks the address of a handle; returns the address. */
  async checkHandle(info: NetworkInfo, handle: string, address: Address): Promise<Address> {
    const seen = address.toLowerCase();
    const pinned = await this.store.pin(["handles", ledgerKey(info), handle.toLowerCase()], seen);
    if (pinned === seen) return address;
    throw new PinMismatch(
      `${handle} now has another address than at the first payment. Do not pay until you have asked its owner; then ` +
        `${this.store.remedy("handles")}.`,
    );
  }
}

/** Names a ledger among pins: another chain, contract or salt is another one. */
export function ledgerKey(info: Record<"ledger" | "domainSalt", string> & { chainId: number }): string {
  return `${info.chainId}/${info.ledger.toLowerCase()}/${info.domainSalt}`;
}

function isLoopback(url: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
