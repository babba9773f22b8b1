import { addDevice } from "@/lib/events/notifications/push/add-device";
import { AddDeviceInput } from "@/lib/events/notifications/push/schema";
import { toDevice } from "@/lib/events/notifications/settings-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: AddDeviceInput,
  handle: ({ ctx, body }) => addDevice(ctx, body),
  status: 201,
  serialize: (device) => ({ ...toDevice(device) }),
});
