/** Payments that one agent asks to make to one recipient. */
interface HeldGroup<P> {
  agent: string;
  to: string;
  payments: P[];
}

/** Returns payments by agent and recipient, in the order in which each pair first occurs. */
export function groupsOf<P extends { agent: string; to: string }>(payments: readonly P[]): HeldGroup<P>[] {
  const groups = new Map<string, HeldGroup<P>>();
  for (const payment of payments) {
    const { agent, to } = payment;
    const name = JSON.stringify([agent, to]);
    const group = groups.get(name) ?? { agent, to, payments: [] };
    group.payments.push(payment);
    groups.set(name, group);
  }
  return [...groups.values()];
}
