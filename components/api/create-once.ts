import { HalcyonError } from "@/sdk/api/errors";
import { isUnknown } from "./unknown-outcome";

/** Rethrows an error of what only encrypted it: nothing was stored, whatever was lost. */
function stripped(error: unknown): never {
  if (error instanceof HalcyonError) delete error.mayHaveHappened;
  throw error;
}

/**
 * What a form creates, as the same one however often it is sent: while it is unknown whether it exists, what was
 * encrypted is kept and sent again.
 */
export class Creation<I, S> {
  private open: { input: string; encrypted: S } | undefined;

  /** Returns whether the form now contains something else than what may exist already. */
  isOther(input: I): boolean {
    return this.open !== undefined && this.open.input !== JSON.stringify(input);
  }

  /** Called when the person says that it does not exist. The next one is a new one. */
  forget(): void {
    this.open = undefined;
  }

  /**
   * Encrypts and stores it, or stores again what may exist already.
   *
   * @param input plain data, the same for the same form
   * @param store safe to repeat with the same argument
   */
  async create<O>(input: I, encrypt: () => Promise<S>, store: (encrypted: S) => Promise<O>): Promise<O> {
    if (this.isOther(input)) throw new Error("another one may exist already");
    const { open } = this;
    const encrypted = open ? open.encrypted : await encrypt().catch(stripped);
    try {
      const stored = await store(encrypted);
      this.open = undefined;
      return stored;
    } catch (error) {
      if (isUnknown(error)) this.open = { input: JSON.stringify(input), encrypted };
      // A refusal, or that the person did not unlock, says nothing of the first time.
      else if (open && error instanceof Error) Object.assign(error, { mayHaveHappened: true });
      throw error;
    }
  }
}
