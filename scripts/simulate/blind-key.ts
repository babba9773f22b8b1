import { createHash } from "node:crypto";
import type { HalcyonError } from "@/sdk/api/errors";
import type { Halcyon } from "@/sdk/client";
import type { HomeKeyProxies } from "../kill/home-key-proxies";
import { sleep } from "../stack/processes";
import { isToAskAgain } from "./codes-to-ask-again";

/** How many proxies have every home key. */
export const PROXIES = 2;

/** A key whose payments are built with its home key, in several processes. */
export interface BlindKey {
  keyId: string;
  homeKey: string;
  /** By way of each proxy, with the API key alone; the last has the home key itself. */
  clients: readonly Halcyon[];
}

/** How a request of a blind key is made at first. */
interface Way {
  /** The process that is asked. */
  first: number;
  /** Whether another one is asked at the same time, under the same idempotency key. */
  together: boolean;
  /** After how many milliseconds the process is killed, if it is a proxy. */
  killAfter: number | undefined;
}

/** Follows from the idempotency key, and so from the seed. */
export function wayOf(key: string, processes: number): Way {
  const [first = 0, together = 0, killed = 0, after = 0] = createHash("sha256").update(key).digest();
  return {
    first: first % processes,
    together: together % 4 === 0,
    killAfter: killed % 3 === 0 ? after * 8 : undefined,
  };
}

/** What was done with blind keys. */
export interface BlindCounts {
  /** Requests, without their repetitions. */
  requests: number;
  /** Of these, how many two processes made at once. */
  together: number;
}

/** Asks the processes that have a blind key. */
export class BlindCaller {
  readonly counts: BlindCounts = { requests: 0, together: 0 };
  /** What two processes heard of one request, where both can't be true. */
  readonly contradictions: string[] = [];
  /** How often each request was made. */
  private readonly tries = new Map<string, number>();

  constructor(private readonly proxies: HomeKeyProxies) {}

  /**
   * Makes a request, each time by another process. The first time it may be made by two at once, and a proxy may be
   * killed meanwhile.
   *
   * @param mayTogether whether two may make it at once
   */
  async ask<T extends { id?: string }>(
    { clients }: BlindKey,
    key: string,
    make: (client: Halcyon) => Promise<T>,
    { mayTogether = true } = {},
  ): Promise<T> {
    const way = wayOf(key, clients.length);
    const times = this.tries.get(key) ?? 0;
    this.tries.set(key, times + 1);
    const nth = (n: number) => (way.first + times + n) % clients.length;
    const by = (n: number) => make(clients[nth(n)] as Halcyon);
    if (times > 0) return by(0);
    this.counts.requests += 1;
    const { killAfter } = way;
    const killed =
      killAfter !== undefined && nth(0) < PROXIES && sleep(killAfter).then(() => this.proxies.kill(nth(0)));
    try {
      if (!way.together || !mayTogether) return await by(0);
      this.counts.together += 1;
      return this.one(key, await Promise.allSettled([by(0), by(1)]));
    } finally {
      await killed;
    }
  }

  /** Returns the response that both got, or the one that got any. */
  private one<T extends { id?: string }>(key: string, heard: readonly PromiseSettledResult<T>[]): T {
    const responses = heard.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const errors = heard.flatMap((one) => (one.status === "rejected" ? [one.reason as HalcyonError] : []));
    const definite = errors.filter((error) => !isToAskAgain(error));
    const [done, other] = responses;
    if (done && other && done.id !== other.id) this.contradictions.push(`${key} is ${done.id} and ${other.id}`);
    if (done && definite[0]) this.contradictions.push(`${key} is ${done.id} and ${definite[0].code}: ${definite[0]}`);
    if (done) return done;
    throw definite[0] ?? errors[0];
  }
}
