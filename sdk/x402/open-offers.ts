import { HalcyonError } from "../api/errors";
import type { TextStore } from "../context/text-store";
import { type Extra, readExtra } from "./wire";

/** A challenge that is not yet paid and served. Repeating the same request continues it, so nothing is paid twice. */
export interface OpenOffer {
  extra: Extra;
  /** Set while the payment awaits approval. */
  transactionId?: string;
}

/** Stores challenges that were paid, or may have been, until their seller has served them. */
export class OpenOffers {
  constructor(private readonly texts: TextStore) {}

  async get(place: string): Promise<OpenOffer | undefined> {
    const text = await this.texts.get(place);
    return text === undefined ? undefined : parsed(text);
  }

  /** Resolves once a crash can't lose the offer any more. Send the payment only after that. */
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
