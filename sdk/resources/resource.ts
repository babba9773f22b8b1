import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";

/** A part of the client: its methods belong to one kind of thing. */
export abstract class Resource<C extends KeyContext = Context> {
  constructor(protected readonly context: C) {}
}
