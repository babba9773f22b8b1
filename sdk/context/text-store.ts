/** Texts by their names, such as payments that a restart must not repeat. */
export interface TextStore {
  get(name: string): Promise<string | undefined>;
  /** Settles once a crash no longer loses it. */
  set(name: string, text: string): Promise<void>;
  delete(name: string): Promise<void>;
}
