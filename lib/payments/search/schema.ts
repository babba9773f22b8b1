import { z } from "zod";
import { ID_PREFIX, type IdKind, isId } from "@/lib/base/ids";
import { ReferenceInput } from "@/lib/payments/details/payment-details";

const KINDS = Object.keys(ID_PREFIX) as IdKind[];

/** Any kind of id that this service issues. */
const AnyIdInput = z
  .string("An id is a text.")
  .refine(
    (text): boolean => KINDS.some((kind) => isId(kind, text)),
    "id is a complete id, such as tr_ and 26 characters.",
  );

/** The query of `GET /api/search`: a complete id or a complete reference. Partial matches are not supported. */
export const SearchQuery = z
  .strictObject({ id: AnyIdInput.optional(), reference: ReferenceInput.optional() })
  .refine(({ id, reference }) => (id === undefined) !== (reference === undefined), "Name either an id or a reference.");
