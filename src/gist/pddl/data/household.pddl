; Gist's own household: a robot with one gripper drives between rooms, picks, places, opens,
; closes and throws away. Written for Gist.
;
; Every item is in exactly one place: held, (on item surface), (in item container), or (at item
; room) when it lies in the room on nothing else. A thing on or in something has no `at`: its room
; is that of what holds it, which `reachable` follows through one portable tray or box to the
; furniture. What stands on or in a carried tray or box goes with it. Furniture can stand on or in
; other furniture too (a lamp on a desk) but only items can be picked and placed.
;
; A shelf or desk that things stand on and in is a surface-container; portable-surface,
; portable-container and portable-surface-container are items that hold others: a tray, a bowl.
; A container that is neither open nor closed has no lid or door and can always be used. Whatever
; stands on a closed container blocks its opening, unless it has a (front-door).
; What was thrown away stays in its bin. What is locked stays shut: there is no key to turn.
(define (domain household)
  (:requirements :strips :typing :equality :negative-preconditions :disjunctive-preconditions
    :universal-preconditions :existential-preconditions :derived-predicates)
  (:types
    room locatable - object
    robot thing - locatable
    furniture item - thing
    fixed-surface fixed-container surface-container bin - furniture
    portable-surface portable-container portable-surface-container - item)
  (:predicates
    (at ?what - locatable ?room - room)
    (on ?what - thing ?surface -
      (either fixed-surface surface-container portable-surface portable-surface-container))
    (in ?what - thing ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin))
    (holding ?robot - robot ?item - item)
    (gripper-free ?robot - robot)
    (open ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin))
    (closed ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin))
    (front-door ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin))
    (locked ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin))
    (disposed ?item - item)
    (reachable ?what - thing ?room - room))

  (:derived (reachable ?what - thing ?room - room)
    (or (at ?what ?room)
      (exists (?furniture - (either fixed-surface surface-container))
        (and (on ?what ?furniture) (at ?furniture ?room)))
      (exists (?furniture - (either fixed-container surface-container))
        (and (in ?what ?furniture) (at ?furniture ?room) (not (closed ?furniture))))))

  (:action drive
    :parameters (?robot - robot ?from - room ?to - room)
    :precondition (at ?robot ?from)
    :effect (and (not (at ?robot ?from)) (at ?robot ?to)))

  (:action pick_up
    :parameters (?robot - robot ?item - item ?room - room)
    :precondition (and (at ?robot ?room) (at ?item ?room) (gripper-free ?robot))
    :effect (and (holding ?robot ?item) (not (at ?item ?room)) (not (gripper-free ?robot))))

  (:action pick_from
    :parameters (?robot - robot ?item - item ?surface -
      (either fixed-surface surface-container portable-surface portable-surface-container)
      ?room - room)
    :precondition (and (at ?robot ?room) (on ?item ?surface) (reachable ?surface ?room)
      (gripper-free ?robot))
    :effect (and (holding ?robot ?item) (not (on ?item ?surface)) (not (gripper-free ?robot))))

  (:action take_out
    :parameters (?robot - robot ?item - item ?container -
      (either fixed-container surface-container portable-container portable-surface-container)
      ?room - room)
    :precondition (and (at ?robot ?room) (in ?item ?container) (reachable ?container ?room)
      (not (closed ?container)) (gripper-free ?robot))
    :effect (and (holding ?robot ?item) (not (in ?item ?container)) (not (gripper-free ?robot))))

  (:action put_down
    :parameters (?robot - robot ?item - item ?room - room)
    :precondition (and (at ?robot ?room) (holding ?robot ?item))
    :effect (and (at ?item ?room) (gripper-free ?robot) (not (holding ?robot ?item))))

  (:action place_on
    :parameters (?robot - robot ?item - item ?surface -
      (either fixed-surface surface-container portable-surface portable-surface-container)
      ?room - room)
    :precondition (and (at ?robot ?room) (holding ?robot ?item) (reachable ?surface ?room))
    :effect (and (on ?item ?surface) (gripper-free ?robot) (not (holding ?robot ?item))))

  (:action place_in
    :parameters (?robot - robot ?item - item ?container -
      (either fixed-container surface-container portable-container portable-surface-container)
      ?room - room)
    :precondition (and (at ?robot ?room) (holding ?robot ?item) (reachable ?container ?room)
      (not (closed ?container)))
    :effect (and (in ?item ?container) (gripper-free ?robot) (not (holding ?robot ?item))))

  (:action throw_away
    :parameters (?robot - robot ?item - item ?bin - bin ?room - room)
    :precondition (and (at ?robot ?room) (holding ?robot ?item) (at ?bin ?room)
      (not (closed ?bin)))
    :effect (and (disposed ?item) (in ?item ?bin) (gripper-free ?robot)
      (not (holding ?robot ?item))))

  (:action open
    :parameters (?robot - robot ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin)
      ?room - room)
    :precondition (and (at ?robot ?room) (reachable ?container ?room) (closed ?container)
      (not (locked ?container)) (gripper-free ?robot)
      (or (front-door ?container)
        (forall (?what - thing ?top - (either surface-container portable-surface-container))
          (not (and (= ?top ?container) (on ?what ?top))))))
    :effect (and (open ?container) (not (closed ?container))))

  (:action close
    :parameters (?robot - robot ?container -
      (either fixed-container surface-container portable-container portable-surface-container bin)
      ?room - room)
    :precondition (and (at ?robot ?room) (reachable ?container ?room) (open ?container)
      (gripper-free ?robot))
    :effect (and (closed ?container) (not (open ?container))))
)
