import { ATTACKS } from "./attacks";
import { type Attack, type Finding, Findings } from "./findings";

/** What one attack came to. */
export interface Outcome {
  attack: Attack;
  findings: readonly Finding[];
}

/** Tries every row against the services of this process, one after the other. */
export async function* runAttacks(): AsyncGenerator<Outcome> {
  for (const attack of ATTACKS) {
    const findings = new Findings();
    await attack.attack(findings);
    yield { attack, findings: findings.all };
  }
}
