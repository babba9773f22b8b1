import { appendFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { ROOT } from "../stack/config";

export interface UpgradeFigures {
  /** Commits of the two versions. */
  from: string;
  to: string;
  /** The phases in order, with how long each took and how many payments got a response during it. */
  phases: { name: string; seconds: number; payments: number }[];
  payments: number;
  /** The number of requests that failed although the client had retried them. */
  failures: number;
  wrong: string[];
}

/** Returns the figures as a table. */
export function table({ phases, payments, failures, wrong }: UpgradeFigures): string {
  const rows = phases.map(({ name, seconds, payments }) => `| ${name} | ${seconds.toFixed(1)} | ${payments} |`);
  const promises = wrong.length === 0 ? "every promise was kept" : `${wrong.length} promises were broken`;
  return `| phase | s | payments with a response |
|---|---|---|
${rows.join("\n")}

${payments} payments, ${failures} failures that reached a caller: ${promises} (each key one transfer, the recipient
decrypts what was sent, nothing pending, each event once and delivered, what one version made the other serves).
`;
}

/** Appends the figures to docs/figures.md. */
export function appendFigures(figures: UpgradeFigures): void {
  const file = path.join(ROOT, "docs", "figures.md");
  const load = Math.round(loadavg()[0] ?? 0);
  const machine = `${availableParallelism()} cores, load ${load}, Node ${process.version}`;
  const date = new Date().toISOString().slice(0, 10);
  const title = `## A new version beside the old one: \`npm run test:upgrade -- --from ${figures.from}\``;
  appendFileSync(file, `\n${title}\n\n${date}, commit ${figures.to}, ${machine}.\n\n${table(figures)}`);
}
