/** Texts stored by name, for example payments that must not be repeated after a restart. */
export interface TextStore {
  get(name: string): Promise<string | undefined>;
  /** Resolves once a crash can't lose the text any more. */
  set(name: string, text: string): Promise<void>;
  delete(name: string): Promise<void>;
}
