// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The API's first client: asks for the state once, then lives on the event stream. Every event carries a
// whole part of the state, so showing is always "draw what is"; nothing here keeps an opinion of its own
// but for a slider while a hand is on it.

const api = "/api/v1";
const byID = (id) => document.getElementById(id);

/** What is known of the house; null until the first answer. */
let state = null;
/** When the playback was told, by the browser's steady clock, in ms. */
let playbackTold = 0;
/** Sliders that a hand is on: they are not moved under it. */
const held = new Set();
/** Grows with each command of a slider: an answer to an older one is not shown. */
let sequence = 0;
/** Why the last command was not carried out; empty when it was. */
let refusal = "";

const group = () => state?.groups[0];

// MARK: Asking and telling

async function loadState() {
  const answer = await fetch(`${api}/state`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  state = await answer.json();
  playbackTold = performance.now();
  draw();
}

async function command(path, body) {
  try {
    const answer = await fetch(`${api}/${path}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, clientSequence: ++sequence }),
    });
    if (answer.ok) return say("");
    const problem = await answer.json().catch(() => ({}));
    say(problem.detail ?? `The coordinator answered with status ${answer.status}.`);
  } catch {
    say("The coordinator cannot be reached.");
  }
}

const tellGroup = (body) => group() && command(`groups/${encodeURIComponent(group().id)}`, body);
const tellRoom = (id, body) => command(`rooms/${encodeURIComponent(id)}`, body);

/** Follows the events; the browser itself connects again, and says where it was. */
function follow() {
  const events = new EventSource(`${api}/events`);
  events.onopen = () => {
    byID("connection").textContent = "Connected";
    loadState().catch(lose);
  };
  events.onerror = () => {
    lose();
    // A closed source never tries again by itself: it was refused, or the coordinator was starting.
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  };
  const on = (name, take) =>
    events.addEventListener(name, (event) => {
      if (!state) return;
      take(JSON.parse(event.data));
      draw();
    });
  on("room", (room) => replace(state.rooms, room));
  on("roomForgotten", ({ id }) => { state.rooms = state.rooms.filter((room) => room.id !== id); });
  on("group", (changed) => { replace(state.groups, changed); playbackTold = performance.now(); });
  on("playback", ({ groupID, playback }) => {
    const changed = state.groups.find((one) => one.id === groupID);
    if (changed) changed.playback = playback;
    playbackTold = performance.now();
  });
  on("queue", ({ groupID, queue }) => {
    const changed = state.groups.find((one) => one.id === groupID);
    if (changed) changed.queue = queue;
  });
  on("reset", () => { loadState().catch(lose); });
}

function replace(list, item) {
  const index = list.findIndex((one) => one.id === item.id);
  if (index < 0) list.push(item); else list[index] = item;
}

function lose() { byID("connection").textContent = "The coordinator is gone; waiting for it."; }

function say(text) {
  refusal = text;
  draw();
}

// MARK: Drawing

/** Writes only what differs: a screen reader is not made to read the same again. */
function set(element, property, value) { if (element[property] !== value) element[property] = value; }

function clock(seconds) {
  if (!Number.isFinite(seconds)) return "-:--";
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Where the music is now: what was told, and the time since. */
function position() {
  const playback = group()?.playback;
  if (!playback || playback.positionSeconds === undefined) return NaN;
  const passed = playback.state === "playing" ? (performance.now() - playbackTold) / 1000 : 0;
  return Math.min(playback.positionSeconds + passed, playback.durationSeconds ?? Infinity);
}

function draw() {
  if (!state) return;
  set(byID("house"), "textContent", state.coordinator.name);
  drawNow();
  drawRooms();
  drawQueue();
}

function drawNow() {
  const playback = group()?.playback;
  const isStopped = !playback || playback.state === "stopped" || !playback.item;
  const item = isStopped ? null : playback.item;
  set(byID("title"), "textContent", item?.title ?? "Nothing plays");
  set(byID("by"), "textContent", [item?.artist, item?.album].filter(Boolean).join(" – "));
  set(document, "title", item ? `${item.title} – ${state.coordinator.name}` : state.coordinator.name);
  const problem = refusal || playback?.problem || "";
  set(byID("problem"), "textContent", problem);
  set(byID("problem"), "hidden", problem === "");
  const isPlaying = playback?.state === "playing";
  const toggle = byID("toggle");
  if (toggle.getAttribute("aria-label") !== (isPlaying ? "Pause" : "Play")) {
    toggle.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    byID("playing-shape").setAttribute("d", isPlaying ? "M6 5h4v14H6zM14 5h4v14h-4z" : "M7 4v16l13-8z");
  }
  const isEmpty = !group()?.queue.count;
  for (const id of ["previous", "next", "stop", "toggle"]) set(byID(id), "disabled", isEmpty);
  drawPlace();
}

function drawPlace() {
  const duration = group()?.playback.durationSeconds;
  const now = position();
  const seek = byID("seek");
  set(seek, "disabled", !(duration > 0) || Number.isNaN(now));
  set(byID("duration"), "textContent", clock(duration ?? NaN));
  if (held.has(seek)) return;
  set(byID("position"), "textContent", clock(now));
  set(seek, "max", String(Math.max(0, Math.floor(duration ?? 0))));
  set(seek, "value", String(Number.isNaN(now) ? 0 : Math.floor(now)));
  seek.setAttribute("aria-valuetext", `${clock(now)} of ${clock(duration ?? NaN)}`);
}

function drawRooms() {
  const rooms = [...state.rooms].sort((a, b) => a.name.localeCompare(b.name));
  const list = byID("rooms");
  byID("no-rooms").hidden = rooms.length > 0;
  byID("group-volume").hidden = rooms.length === 0;
  const present = new Set(rooms.map((room) => room.id));
  for (const row of [...list.children]) if (!present.has(row.dataset.id)) row.remove();
  rooms.forEach((room, index) => {
    const row = [...list.children].find((one) => one.dataset.id === room.id) ?? makeRow(room.id);
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    drawRoom(row, room);
  });
  const level = byID("group-level");
  if (!held.has(level)) {
    set(level, "value", String(group().volume));
    set(byID("group-number"), "textContent", String(group().volume));
  }
  pressed(byID("group-mute"), group().isMuted);
}

function makeRow(id) {
  const row = document.createElement("li");
  row.dataset.id = id;
  row.innerHTML = `<div class="volume"><label></label><input type="range" min="0" max="100" step="1">
    <output></output><button type="button" aria-pressed="false">Mute</button></div><p class="state"></p>`;
  const [label, level, output] = ["label", "input", "output"].map((name) => row.querySelector(name));
  level.id = `level-${id}`;
  label.htmlFor = level.id;
  hold(level, output, (value) => tellRoom(id, { command: "volume", level: value }));
  row.querySelector("button").addEventListener("click", (event) =>
    tellRoom(id, { command: "mute", muted: event.currentTarget.getAttribute("aria-pressed") !== "true" }));
  return row;
}

function drawRoom(row, room) {
  set(row.querySelector("label"), "textContent", room.name);
  const level = row.querySelector("input");
  if (!held.has(level)) {
    set(level, "value", String(room.volume));
    set(row.querySelector("output"), "textContent", String(room.volume));
  }
  level.setAttribute("aria-label", `Volume of ${room.name}`);
  const mute = row.querySelector("button");
  mute.setAttribute("aria-label", `Mute ${room.name}`);
  pressed(mute, room.isMuted);
  for (const control of [level, mute]) set(control, "disabled", !room.isConnected);
  set(row.querySelector(".state"), "textContent", words(room));
}

function pressed(button, isPressed) {
  if (button.getAttribute("aria-pressed") !== String(isPressed)) button.setAttribute("aria-pressed", String(isPressed));
}

function words(room) {
  if (!room.isConnected) return "not connected";
  const error = room.health?.syncErrorTenSeconds?.p99Microseconds;
  const phase = room.state === "waitingForClock" ? "waiting for clock" : room.state;
  const time = error === undefined ? "" : error < 1000 ? `, in time within ${Math.round(error)} µs`
    : `, in time within ${(error / 1000).toFixed(1)} ms`;
  return phase + time + (room.detail ? `: ${room.detail}` : "");
}

let drawnQueue = "";

function drawQueue() {
  const queue = group().queue;
  const key = JSON.stringify([queue.revision, queue.firstIndex, queue.currentItemID, queue.items.length,
    queue.items.map((item) => item.title)]);
  if (key === drawnQueue) return;
  drawnQueue = key;
  const rows = queue.items.map((item, index) => {
    const row = document.createElement("li");
    const isCurrent = item.id === queue.currentItemID;
    row.textContent = `${(queue.firstIndex ?? 0) + index + 1}. ${item.title}`;
    if (isCurrent) row.setAttribute("aria-current", "true");
    const more = document.createElement("span");
    more.className = "state";
    more.textContent = [item.artist, item.durationSeconds && clock(item.durationSeconds), item.problem]
      .filter(Boolean).join(", ");
    row.append(more);
    return row;
  });
  byID("queue").replaceChildren(...rows);
  const rest = (queue.count ?? queue.items.length) - queue.items.length;
  byID("queue-rest").hidden = rest <= 0 && queue.items.length > 0;
  byID("queue-rest").textContent = rest > 0 ? `${rest} more` : "The queue is empty: tutti play FILE fills it.";
}

// MARK: Hands

/** A slider: shows its number while it moves, tells at most ten times a second, and always the last. */
function hold(slider, output, tell) {
  let timer = null;
  let last = 0;
  const send = () => { timer = null; last = performance.now(); tell(Number(slider.value)); };
  slider.addEventListener("input", () => {
    held.add(slider);
    if (output) output.textContent = slider.value;
    timer ??= setTimeout(send, Math.max(0, 100 - (performance.now() - last)));
  });
  slider.addEventListener("change", () => {
    if (timer !== null) { clearTimeout(timer); send(); }
    // The event that tells the new value comes a moment after the answer.
    setTimeout(() => held.delete(slider), 300);
  });
}

hold(byID("group-level"), byID("group-number"), (level) => tellGroup({ command: "volume", level }));
byID("group-mute").addEventListener("click", () => tellGroup({ command: "mute", muted: !group().isMuted }));
for (const name of ["previous", "next", "stop", "toggle"]) {
  byID(name).addEventListener("click", () => tellGroup({ command: name }));
}
byID("seek").addEventListener("input", (event) => {
  held.add(event.target);
  byID("position").textContent = clock(Number(event.target.value));
});
byID("seek").addEventListener("change", (event) => {
  tellGroup({ command: "seek", seconds: Number(event.target.value) });
  setTimeout(() => held.delete(event.target), 300);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, button")) return;
  const moves = { ArrowLeft: -10, ArrowRight: 10 };
  if (event.key === " ") tellGroup({ command: "toggle" });
  else if (event.key in moves) tellGroup({ command: "seek", offsetSeconds: moves[event.key] });
  else return;
  event.preventDefault();
});

setInterval(drawPlace, 500);
follow();
