import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";

/** A part of the client: the methods for one kind of resource. */
export abstract class Resource<C extends KeyContext = Context> {
  constructor(protected readonly context: C) {}

  /** Returns the parts of the client that a resource belongs to. */
  static contextOf({ context }: Resource): Context {
    return context;
  }

  /** Returns the address of the service. */
  static serviceOf({ context }: Resource<KeyContext>): string {
    return context.http.baseUrl;
  }
}
