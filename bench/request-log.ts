import { setTimeout as sleep } from "node:timers/promises";
import { startWeb } from "@/test/services/start-web";
import { cpuMs } from "./cpu";
import { closedLoop, median, round } from "./measure";

const ROUNDS = 15;
const CALLS_A_ROUND = 1_000;
/** Longer than a request waits to be stored (lib/accounts/request-log/record-request.ts). */
const STORED_MS = 3_000;
const NAMES = ["without", "logged"] as const;

/**
 * Measures what the request log costs a read: rounds of one caller that alternate between two web processes, of which
 * one keeps no log. A caller waits for none of the log, so the time of a read shows what slows it. CPU also counts what
 * comes later: the statement that stores the requests.
 *
 * @param get returns a call of the cheapest read, of the process at an address
 * @param database process of the database
 */
export async function costOfLog(get: (url: string) => () => Promise<void>, database: number) {
  const webs = { without: await startWeb({}, "bench/web-without-log.ts"), logged: await startWeb({}) };
  const rounds = { ms: { without: [] as number[], logged: [] as number[] }, cpu: { without: 0, logged: 0 } };
  const web = { without: 0, logged: 0 };
  try {
    for (const name of NAMES) await closedLoop(1, CALLS_A_ROUND, get(webs[name].url));
    await sleep(STORED_MS);
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const name of NAMES) {
        const { url, pid } = webs[name];
        const [all, own] = [cpuMs(pid, database), cpuMs(pid)];
        rounds.ms[name].push((await closedLoop(1, CALLS_A_ROUND, get(url))).p50);
        await sleep(STORED_MS);
        rounds.cpu[name] += cpuMs(pid, database) - all;
        web[name] += cpuMs(pid) - own;
      }
    }
  } finally {
    await Promise.all(Object.values(webs).map((each) => each.stop()));
  }
  const ratios = rounds.ms.logged.map((ms, turn) => ms / (rounds.ms.without[turn] as number));
  return {
    read_p50_ms: { without: median(rounds.ms.without), logged: median(rounds.ms.logged) },
    read_over_without: round(median(ratios)),
    web_cpu_over_without: round(web.logged / web.without),
    web_and_database_cpu_over_without: round(rounds.cpu.logged / rounds.cpu.without),
  };
}
