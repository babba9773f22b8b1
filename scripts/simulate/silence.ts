import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import postgres from "postgres";
import type { SilentProxy } from "@/test/services/silent-proxy";
import { sleep } from "../stack/processes";

/** How packets are lost for a while. */
export interface Silence {
  /** Whether connections that are made meanwhile are silent too, or only those there are. */
  later: boolean;
  /** What was sent meanwhile arrives at last, or the connections are closed. */
  end: "resumes" | "cut";
  seconds: number;
}

/** Asks through one connection. It is opened by the first question. */
interface Probe {
  ask(): PromiseLike<unknown>;
  end(): void;
}

const PAUSE_MS = 50;
const REACHED_MS = 60_000;

/** Whether what is asked now is responded to; set once that is known. */
interface Asked {
  outcome?: "responded" | "failed";
}

function ask(probe: Probe): Asked & { ended: PromiseLike<void> } {
  const asked: Asked = {};
  const ends = (outcome: Asked["outcome"]) => () => {
    asked.outcome = outcome;
  };
  return Object.assign(asked, { ended: probe.ask().then(ends("responded"), ends("failed")) });
}

/**
 * Silences a proxy for a while.
 *
 * @param probe asks what is behind it
 * @throws Error if connections were not silent, or not as they had to be afterwards
 */
export async function silence(
  proxy: SilentProxy,
  probe: (url: string) => Probe,
  { later, end, seconds }: Silence,
): Promise<void> {
  const before = probe(proxy.url);
  const meanwhile = probe(proxy.url);
  try {
    await reached(before);
    proxy.silence(later);
    const [old, young] = [ask(before), ask(meanwhile)];
    await sleep(seconds * 1_000);
    if (!later) await young.ended;
    const [wasOld, wasYoung] = [old.outcome, young.outcome];
    if (end === "cut") proxy.cut();
    else proxy.resume();
    if (wasOld !== undefined) throw new Error(`a silent connection ${wasOld}`);
    if (wasYoung !== (later ? undefined : "responded"))
      throw new Error(`a later connection ${wasYoung ?? "is silent"}`);
    await old.ended;
    if (old.outcome !== (end === "cut" ? "failed" : "responded")) {
      throw new Error(`a connection ${old.outcome} once its silence ${end === "cut" ? "was cut" : "ended"}`);
    }
  } finally {
    proxy.resume();
    before.end();
    meanwhile.end();
  }
}

/** Waits until the server is there, which may just be starting again. */
async function reached(probe: Probe): Promise<void> {
  for (const end = performance.now() + REACHED_MS; ; await sleep(PAUSE_MS)) {
    const asked = ask(probe);
    await asked.ended;
    if (asked.outcome === "responded") return;
    if (performance.now() > end) throw new Error("what is to be silent does not respond");
  }
}

/** Asks a PostgreSQL. */
export function databaseProbe(url: string): Probe {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 60, fetch_types: false });
  return { ask: () => sql`select 1`, end: () => void sql.end({ timeout: 0 }) };
}

/** Asks a node. */
export function nodeProbe(url: string): Probe {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  return {
    async ask() {
      const asked = request(url, { agent, method: "POST", headers: { "content-type": "application/json" } });
      asked.end(body);
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      if (response.statusCode !== 200) throw new Error(`the node responds with ${response.statusCode}`);
    },
    end: () => agent.destroy(),
  };
}
