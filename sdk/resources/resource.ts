import type { Context } from "../context/context";

/** A part of the client: the methods for one kind of resource. */
export abstract class Resource {
  constructor(protected readonly context: Context) {}

  /** Returns the parts of the client that a resource belongs to. */
  static contextOf({ context }: Resource): Context {
    return context;
  }

  /** Returns the address of the service. */
  static serviceOf({ context }: Resource): string {
    return context.http.baseUrl;
  }
}
