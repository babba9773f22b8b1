"use client";

import { createContext, type ReactNode, useContext } from "react";

/** What a person reads about an error. */
export interface ErrorWords {
  message: string;
  /** The field of the form that was refused. */
  param?: string;
  /** The person gave up what they had started: they know. */
  gaveUp?: boolean;
}

type Describe = (error: unknown) => ErrorWords;

const ErrorWordsContext = createContext<Describe>(() => ({
  message: "Something failed in this page. Reload it and try again.",
}));

/** Has controls below it describe errors in these words: they don't know what can fail. */
export function ErrorWordsProvider({ describe, children }: { describe: Describe; children: ReactNode }) {
  return <ErrorWordsContext value={describe}>{children}</ErrorWordsContext>;
}

/** What to say about an error. */
export function useErrorWords(): Describe {
  return useContext(ErrorWordsContext);
}
