import { HalcyonError } from "../api/errors";
import type { TextStore } from "../context/text-store";
import { type Extra, readExtra } from "./wire";

/** A challenge on its way to being paid and served. The same request continues it: nothing is paid twice. */
export interface OpenOffer {
  extra: Extra;
  /** Of a payment that awaits approval. */
  transactionId?: string;
}

/** Remembers challenges that were paid, or may have been, until their seller has served them. */
export class OpenOffers {
  constructor(private readonly texts: TextStore) {}

  async get(place: string): Promise<OpenOffer | undefined> {
    const text = await this.texts.get(place);
    return text === undefined ? undefined : parsed(text);
  }

  /** Settles once a crash no longer loses it: the payment is sent after that. */
  async set(place: string, offer: OpenOffer): Promise<void> {
    await this.texts.set(place, JSON.stringify(offer));
  }

  async delete(place: string): Promise<void> {
    await this.texts.delete(place);
  }
}

function parsed(text: string): OpenOffer {
  try {
    const { extra, transactionId } = JSON.parse(text) as { extra: Record<string, unknown>; transactionId?: unknown };
    const read = readExtra(extra);
    if (read) return { extra: read, ...(typeof transactionId === "string" && { transactionId }) };
  } catch {
    // Reported below.
  }
  throw new HalcyonError("unavailable", "What this machine remembers of an earlier payment for this can't be read.");
}
