import { CHAT } from '../config/limits';

const TYPING_TIMEOUT_MS = 6000;
const MAX_PINNED = 10;

/** Adds somebody to a room. */
export function joinRoom(room: Room, user: User): void {
  if (room.bannedUsers.includes(user.id)) {
    throw new ApiError(403, 'user is banned from the room');
  }
  if (room.members.length >= CHAT.maxMembersPerRoom) {
    throw new ApiError(409, 'room is full');
  }
  room.members.push(user);
}

/** Pins a message in a room. */
export function pinMessage(room: Room, message: Message): void {
  if (room.pinned.length > MAX_PINNED) {
    throw new ApiError(409, 'too many pinned messages');
  }
  room.pinned.push(message);
}

/** Deletes a message, which leaves a gap. */
export function deleteMessage(message: Message): void {
  message.status = 'removed';
  message.text = '';
}

/** Reports a message to the moderators. */
export function reportMessage(message: Message, reason?: string): void {
  notifyModerators(message, reason);
  hideMessage(message);
}
