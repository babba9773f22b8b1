/** Gas limits of whole transactions in the steady state. Calls without a limit are measured too. */
export const GAS_LIMITS = {
  transfer: 285_000,
  spend: 318_000,
  spendAmong16: 322_000,
  spendPublic: null,
  transferManyPerPayment: 55_000,
  fund: 298_000,
  fundToOwner: 298_000,
  release: 298_000,
  makeAvailable8: null,
  setPolicy: null,
  deposit: null,
  enroll: null,
} as const;

export type GasFigures = Record<keyof typeof GAS_LIMITS, number>;

/** Returns the gas figures of a run of `everyCall`, from the gas of each call by name. */
export function gasFigures(used: Readonly<Record<string, number>>): GasFigures {
  const of = (name: string) => {
    const gas = used[name];
    if (gas === undefined) throw new Error(`the call ${name} was not measured`);
    return gas;
  };
  const { transferManyPerPayment: _, fundToOwner: __, ...calls } = GAS_LIMITS;
  const names = Object.keys(calls) as (keyof typeof calls)[];
  const measured = Object.fromEntries(names.map((name) => [name, of(name)])) as Record<keyof typeof calls, number>;
  return {
    ...measured,
    transferManyPerPayment: Math.ceil(of("transferMany") / 16),
    fundToOwner: of("fund back"),
  };
}
