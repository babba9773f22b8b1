/**
 * Runs attackers who hold exactly what the security model says against a local stack of their own (PostgreSQL, both
 * chains, the ledger, the service and its worker). Shows what each of them tried, and the result.
 *
 *   npm run attack                 exit code 1 if a result differs from the table
 *   npm run attack -- --json       the same as JSON
 *   npm run attack -- lies         instead, every lie of a service about what a client does or reports (scripts/lies);
 *                                  --verb "send" tries one verb (repeat it for more), --each 20 a sample of its lies,
 *                                  --seed TEXT as many as `npm test` tries, chosen by this text
 */
import { parseArgs } from "node:util";
import { startWorkingServices, type WorkingServices } from "../test/services/working-services";
import { ATTACKS } from "./attack/attacks";
import { type Attack, type Finding, Findings, tableOf } from "./attack/findings";
import { PAYING, REPORTING } from "./lies/client-actions";
import { verbsOf } from "./lies/sample";
import { tryLies } from "./lies/try-lies";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    verb: { type: "string", multiple: true },
    each: { type: "string" },
    seed: { type: "string" },
  },
});
// Alarms about a tampered database are expected here and are not part of the table.
process.env.LOG_LEVEL ??= "fatal";
const services = await startWorkingServices();
if (positionals.includes("lies")) {
  const { verb: names, each = Number.POSITIVE_INFINITY, seed } = values;
  const some = [...REPORTING, ...PAYING].filter(({ name }) => names === undefined || names.includes(name));
  const chosen = seed === undefined ? some.map((verb) => ({ verb, each: Number(each) })) : verbsOf(seed);
  const wrong = await tryLies(chosen, seed ?? "all").finally(() => services.stop());
  process.exit(wrong.length === 0 ? 0 : 1);
}
const outcomes: Outcome[] = [];
try {
  for await (const outcome of runAttacks(services)) {
    outcomes.push(outcome);
    if (!values.json) console.log(`${tableOf(outcome.attack, outcome.findings)}\n`);
  }
} finally {
  await services.stop();
}
const all = outcomes.flatMap(({ findings }) => findings);
const wrong = all.filter(({ holds }) => !holds).length;
if (values.json) {
  const rows = outcomes.map(({ attack: { who, holds }, findings }) => ({ who, holds, findings }));
  console.log(JSON.stringify({ attack: rows }, null, 2));
} else {
  console.log(`${all.length} attempts by ${outcomes.length} attackers; ${wrong} came out otherwise than they should`);
}
process.exit(wrong === 0 && outcomes.length > 0 ? 0 : 1);

/** The findings of one attack. */
interface Outcome {
  attack: Attack;
  findings: readonly Finding[];
}

/** Runs every attack against the services of this process, one after the other. */
async function* runAttacks(services: WorkingServices): AsyncGenerator<Outcome> {
  for (const attack of ATTACKS) {
    const findings = new Findings();
    await attack.attack(findings, services);
    yield { attack, findings: findings.all };
  }
}
