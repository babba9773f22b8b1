/** Limits updates to one per second and webhook, because attempts may end many times a second. */
const PACE_MS = 1_000;

/** The webhooks with new deliveries that a stream has yet to announce; null stands for any webhook. */
export class DeliveryUpdates {
  private readonly waiting = new Set<string | null>();
  private readonly sentAt = new Map<string | null, number>();

  add(webhookId: string | null): void {
    this.waiting.add(webhookId);
  }

  /** Returns the webhooks to announce now, and in how many milliseconds there may be more. */
  take(now: number): { due: (string | null)[]; wait: number } {
    for (const [id, at] of this.sentAt) if (now - at >= PACE_MS) this.sentAt.delete(id);
    const due = [...this.waiting].filter((id) => this.rest(id, now) <= 0);
    for (const id of due) {
      this.waiting.delete(id);
      this.sentAt.set(id, now);
    }
    const wait = Math.min(Number.POSITIVE_INFINITY, ...[...this.waiting].map((id) => this.rest(id, now)));
    return { due, wait };
  }

  private rest(id: string | null, now: number): number {
    return (this.sentAt.get(id) ?? Number.NEGATIVE_INFINITY) + PACE_MS - now;
  }
}
