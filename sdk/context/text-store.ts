/** Texts stored by name, for example payments that must not be repeated after a restart. */
export interface TextStore {
  get(name: string): Promise<string | undefined>;
  /** Resolves once a crash can't lose the text any more. So does `add`. */
  set(name: string, text: string): Promise<void>;
  /** Stores a text under a name that has none. Resolves with `false`, changing nothing, if the name has one. */
  add(name: string, text: string): Promise<boolean>;
  delete(name: string): Promise<void>;
}
