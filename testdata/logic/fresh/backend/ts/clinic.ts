import { BadRequest, Conflict } from '../http';

export interface PatientForm {
  name: string;
  kana: string;
  insuranceNumber?: string;
  allergies: string;
}

const SLOT_MINUTES = 20;
const MAX_WAITING_LIST = 12;

/** Puts a patient on the waiting list for a slot. */
export function joinWaitingList(list: Patient[], patient: Patient): void {
  if (list.length >= MAX_WAITING_LIST) {
    throw new Conflict('waiting list is full');
  }
  list.push(patient);
}

export function bookSlot(slot: Slot, patient: Patient, now: Date): Booking {
  const hoursAhead = (slot.start.getTime() - now.getTime()) / 3_600_000;
  if (hoursAhead < 2) {
    throw new BadRequest('slots are closed two hours ahead');
  }
  return { slot, patient, status: 'tentative' };
}

export function closeCase(visit: Visit): void {
  visit.state = 'archived';
}

/** A prescription may only be renewed by a doctor. */
export function renewPrescription(user: Staff, prescription: Prescription): Prescription {
  if (user.isNurse) {
    return copyOf(prescription);
  }
  if (!user.isDoctor) {
    throw new Forbidden('only doctors renew prescriptions');
  }
  return copyOf(prescription);
}

export const slotLength = () => SLOT_MINUTES;
