"use client";

import { createContext, type ReactNode, useContext } from "react";

/** An error in words for people. */
export interface ErrorWords {
  message: string;
  /** The form field that was refused. */
  param?: string;
  /** Whether what was asked for may have been done nevertheless. Nothing may then say that it was not. */
  isUnknown?: boolean;
  /** Whether the person cancelled by themselves, so that there is nothing to say. */
  gaveUp?: boolean;
}

type Describe = (error: unknown) => ErrorWords;

const ErrorWordsContext = createContext<Describe>(() => ({
  message: "Something failed on this page. Reload it and try again.",
}));

/** Sets how the controls below describe errors, since they don't know what can fail. */
export function ErrorWordsProvider({ describe, children }: { describe: Describe; children: ReactNode }) {
  return <ErrorWordsContext value={describe}>{children}</ErrorWordsContext>;
}

/** Returns the function that describes an error. */
export function useErrorWords(): Describe {
  return useContext(ErrorWordsContext);
}
