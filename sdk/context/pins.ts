import type { Address } from "viem";
import { FINALITIES, type NetworkInfo } from "../api/network-info";
import { PinMismatch } from "../api/pin-mismatch";

/**
 * Table and key of a pin: `["ledgers", service and network]`, `["assets", ledger, symbol]`, `["handles", ledger,
 * handle]`, `["names", ledger, account]` for the handle of one's own account, `["secrets", ledger, account]` for the highest version of an account secret that was in force, `["shown funds", ledger, account]` for the
 * highest version of the record of proofs of funds, `["schedules", ledger, schedule]` for the highest version of a
 * schedule, or `["finality", ledger]` for the strictest finality.
 */
export type PinPlace = readonly [string, ...string[]];

/** Stores pins: in a file of this machine, or a browser's database. */
export interface PinStore {
  /** Returns how a person removes a pin of a table. Completes the sentence "do not pay until you know why; then …". */
  remedy(table: PinPlace[0]): string;
  /**
   * Stores a value at a place if the place is empty; returns the stored value. Throws if the current value can't be
   * read, because a forgotten pin protects nothing.
   */
  pin(place: PinPlace, value: string): Promise<string>;
  /** Stores a whole number at a place unless a higher one is there; returns the higher one. Throws like `pin`. */
  raise(place: PinPlace, value: number): Promise<number>;
  /** Returns the value at a place without storing anything. */
  peek(place: PinPlace): Promise<string | undefined>;
}

/**
 * Remembers at first use which ledger a service names, what its assets are and which address a handle has, so that an
 * attacker who later takes over the service can't redirect or change this machine's payments (docs/protocol.md section
 * 7).
 */
export class Pins {
  constructor(private readonly store: PinStore) {}

  /** Pins or checks the ledger of a service. Doesn't pin ledgers of a local stack, which change often. */
  async checkLedger(serviceUrl: string, info: NetworkInfo): Promise<void> {
    if (isLocalStack(serviceUrl, info)) return;
    const seen = ledgerKey(info);
    const pinned = await this.store.pin(["ledgers", `${serviceUrl}#${info.network}`], seen);
    if (pinned === seen) return;
    throw new PinMismatch(
      `${serviceUrl} names another ledger for the ${info.network} network than before. Do not pay until you know why; ` +
        `then ${this.store.remedy("ledgers")}.`,
    );
  }

  /** Pins or checks the address, decimals and unit of a ledger's assets. Doesn't pin those of a local stack. */
  async checkAssets(serviceUrl: string, info: NetworkInfo): Promise<void> {
    if (isLocalStack(serviceUrl, info)) return;
    for (const { symbol, address, decimals, unit } of info.assets) {
      const seen = `${address} ${decimals} ${unit}`;
      const pinned = await this.store.pin(["assets", ledgerKey(info), symbol], seen);
      if (pinned === seen) continue;
      throw new PinMismatch(
        `${symbol} is now (address, decimals and unit) ${seen}, and was ${pinned} before. Do not pay until you know why; ` +
          `then ${this.store.remedy("assets")}.`,
      );
    }
  }

  /**
   * Remembers the strictest finality that was named for a ledger's chain, and returns it: a service that names a weaker
   * one later does not make this machine take a block for final that is not. Pins nothing of a local stack.
   */
  async strictestFinality(serviceUrl: string, info: NetworkInfo): Promise<NetworkInfo["finality"]> {
    if (isLocalStack(serviceUrl, info)) return info.finality;
    const place = ["finality", ledgerKey(info)] as const;
    return FINALITIES[await this.store.raise(place, FINALITIES.indexOf(info.finality))] ?? "finalized";
  }

  /**
   * Remembers the highest version of an account secret and refuses older ones. Otherwise an attacker who takes
   * over the service could make this machine use a leaked secret again.
   */
  async checkSecretVersion(ledger: string, account: Address, version: number): Promise<void> {
    const highest = await this.store.raise(["secrets", ledger, account.toLowerCase()], version);
    if (highest <= version) return;
    throw new PinMismatch(
      `The service names version ${version} of this account's secret, and this machine has seen version ${highest}. ` +
        "Someone may be undoing a rotation. Stop; `halcyon rotate-account-secret` creates a new secret.",
    );
  }

  /** Returns the highest version of the account secret that this machine has seen in force; 0 for none. */
  async secretVersionSeen(ledger: string, account: Address): Promise<number> {
    return Number((await this.store.peek(["secrets", ledger, account.toLowerCase()])) ?? 0);
  }

  /**
   * Returns the highest version of the account's record of proofs of funds that this machine has read or written; 0 for
   * none.
   */
  async shownFundsSeen(ledger: string, account: Address): Promise<number> {
    return Number((await this.store.peek(["shown funds", ledger, account.toLowerCase()])) ?? 0);
  }

  /** Remembers a version of the record of proofs of funds. */
  async seeShownFunds(ledger: string, account: Address, version: number): Promise<void> {
    await this.store.raise(["shown funds", ledger, account.toLowerCase()], version);
  }

  /**
   * Remembers the highest version of a schedule and refuses older ones, whose amounts, recipients or pauses may differ.
   */
  async checkScheduleVersion(ledger: string, schedule: string, version: number): Promise<void> {
    const highest = await this.store.raise(["schedules", ledger, schedule], version);
    if (highest <= version) return;
    throw new PinMismatch(
      `The service shows version ${version} of schedule ${schedule}, and this machine has seen version ${highest}. ` +
        "Nothing was paid: someone may be undoing a change.",
    );
  }

  /** Returns the address a handle had at its first use on this machine. Pins nothing. */
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

  /** Pins or checks the handle of one's own account, which never changes. The ledger knows no handles. */
  async checkOwnHandle(info: NetworkInfo, account: Address, handle: string): Promise<void> {
    const seen = handle.toLowerCase();
    const pinned = await this.store.pin(["names", ledgerKey(info), account.toLowerCase()], seen);
    if (pinned === seen) return;
    throw new PinMismatch(
      `The service calls your account ${seen}, and called it ${pinned} before. Do not pay until you know why; ` +
        `then ${this.store.remedy("names")}.`,
    );
  }
}

/** Returns the key of a ledger in the pins. It differs if the chain, contract or salt differs. */
export function ledgerKey(info: Record<"ledger" | "domainSalt", string> & { chainId: number }): string {
  return `${info.chainId}/${info.ledger.toLowerCase()}/${info.domainSalt}`;
}

function isLocalStack(serviceUrl: string, { local }: NetworkInfo): boolean {
  return local && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(serviceUrl).hostname);
}
