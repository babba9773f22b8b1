// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE} from "../../src/Constants.sol";
import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IdealVerifier} from "./IdealVerifier.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// Two owners, each with an agent, doing what they like, honest or not: every action is also tried with another amount
/// than the true one, with notes of others, with notes twice, and old calls are sent again.
contract LedgerHandler is StructSigner {
    TestUSDG public immutable usdg;
    IdealVerifier public immutable verifier;

    /// Owner, agent, owner, agent.
    uint256[4] private keys = [uint256(0xa11ce), 0xa6e47, 0xb0b, 0xb0b5];
    address[4] public accounts;
    uint256[] public notes;
    bytes[] private calls;
    uint256 private salt;
    uint64 private immutable deadline;

    /// How often what succeeded, so that the test can show that it tested something.
    mapping(string action => uint256) public done;
    /// Calls that were refused, as they must be at times.
    uint256 public refused;

    constructor(ILedger ledger_, TestUSDG usdg_, IdealVerifier verifier_, uint64 deadline_) {
        (ledger, usdg, verifier, deadline) = (ledger_, usdg_, verifier_, deadline_);
        separator = ledger_.domainSeparator();
        for (uint256 i = 0; i < 4; ++i) {
            accounts[i] = vm.addr(keys[i]);
        }
    }

    function deposit(uint256 who, uint64 units) external {
        units = units % 1_000_000 + 1;
        address account = accounts[who % 4];
        usdg.mint(account, units);
        vm.startPrank(account);
        usdg.approve(address(ledger), units);
        ledger.deposit(address(usdg), units);
        vm.stopPrank();
        ++done["deposit"];
    }

    /// Notes from anywhere, perhaps one of them twice, and more money than there is when `greed` says so.
    function makeAvailable(uint256 who, uint256 seed, uint64 deposited, uint64 kept, uint8 count, uint64 greed) external {
        ILedger.MakeAvailableParams memory p;
        (p.account, p.asset, p.deadline, p.changeNote) = (accounts[who % 4], address(usdg), deadline, EMPTY_NOTE);
        p.deposited = uint64(deposited % (uint256(ledger.depositedOf(p.account, p.asset)) + 2));
        uint256 total = _available(p.account).limit + p.deposited;
        for (uint256 i = 0; i < 8; ++i) {
            p.notes[i] = EMPTY_NOTE;
            if (i >= count % 4 || notes.length == 0) continue;
            p.notes[i] = notes[uint256(keccak256(abi.encode(seed, i))) % notes.length];
            total += verifier.noteAmount(p.notes[i]);
        }
        if (greed % 8 == 0) total += greed;
        uint64 limit = uint64(kept % (total + 1));
        p.newAvailable = verifier.commitAvailable(limit, 0, 0, ++salt);
        uint64 change = uint64(total - limit);
        if (change > 0) p.changeNote = verifier.commitNote(change, ++salt);
        bytes memory call_ =
            abi.encodeCall(ILedger.makeAvailable, (p, _proof(), _sign(keys[who % 4 & 2], _hash(p))));
        if (_try(call_, "makeAvailable") && change > 0) notes.push(p.changeNote);
    }

    /// Owners transfer, agents spend: their owner's wallet signs, so that no policy is in the way.
    function pay(uint256 who, uint256 to, uint64 amount, uint64 less) external {
        address account = accounts[who % 4];
        amount = _amount(account, amount);
        uint256 newAvailable = _less(account, amount, less);
        uint256 note = verifier.commitNote(amount, ++salt);
        if (_payWith(who, accounts[to % 4], newAvailable, note, "pay")) notes.push(note);
    }

    /// Pays with a commitment that was a note before: new to another account, never again to the same.
    function payOldNote(uint256 who, uint256 to, uint256 which) external {
        if (notes.length == 0) return;
        uint256 note = notes[which % notes.length];
        address account = accounts[who % 4];
        uint256 newAvailable = _less(account, uint64(verifier.noteAmount(note)), 1);
        bool known = ledger.noteStatus(accounts[to % 4], address(usdg), note) != ILedger.NoteStatus.None;
        _payWith(who, accounts[to % 4], newAvailable, note, known ? "reopen" : "pay");
    }

    /// Several notes from one available balance; one time in eight two of them are the same.
    function payMany(uint256 who, uint256 count, uint64 amount, uint64 less) external {
        ILedger.TransferManyParams memory p;
        (p.account, p.asset, p.deadline) = (accounts[who % 4], address(usdg), deadline);
        count = 2 + count % 15;
        amount = _amount(p.account, amount) / uint64(count);
        p.payments = new ILedger.Payment[](count);
        for (uint256 i = 0; i < count; ++i) {
            p.payments[i].to = accounts[(who % 4 + 1 + i % 3) % 4];
            p.payments[i].note = verifier.commitNote(amount, ++salt);
        }
        if (less % 8 == 1) p.payments[1] = p.payments[0];
        p.newAvailable = _less(p.account, amount * uint64(count), less);
        bytes memory call_ =
            abi.encodeCall(ILedger.transferMany, (p, _proof(), _sign(keys[who % 4 & 2], _hash(p))));
        if (!_try(call_, less % 8 == 1 ? "twice in a batch" : "payMany")) return;
        for (uint256 i = 0; i < count; ++i) {
            notes.push(p.payments[i].note);
        }
    }

    function release(uint256 who, uint64 amount, uint64 less) external {
        address account = accounts[who % 4];
        amount = _amount(account, amount);
        uint256 newAvailable = _less(account, amount, less);
        if (who % 2 == 1) {
            ILedger.SpendPublicParams memory s;
            (s.account, s.to, s.asset, s.mode, s.deadline) = (account, address(0xca401), address(usdg), 2, deadline);
            (s.amount, s.newAvailable, s.paymentId) = (amount, newAvailable, bytes32(++salt));
            ILedger.RecipientProof memory path;
            bytes memory signature = _sign(keys[who % 4 & 2], _hash(s));
            _try(abi.encodeCall(ILedger.spendPublic, (s, path, _proof(), signature)), "release");
            return;
        }
        ILedger.ReleaseParams memory p;
        (p.account, p.to, p.asset, p.deadline) = (account, address(0xca401), address(usdg), deadline);
        (p.amount, p.newAvailable, p.paymentId) = (amount, newAvailable, bytes32(++salt));
        _try(abi.encodeCall(ILedger.release, (p, _proof(), _sign(keys[who % 4], _hash(p)))), "release");
    }

    function fund(uint256 from, uint256 to, uint64 amount, uint64 less) external {
        ILedger.FundParams memory p;
        (p.from, p.to, p.asset, p.deadline) = (accounts[from % 4], accounts[to % 4], address(usdg), deadline);
        (p.paymentId, amount) = (bytes32(++salt), _amount(p.from, amount));
        p.fromNewAvailable = _less(p.from, amount, less);
        p.toNewAvailable = verifier.commitAvailable(_available(p.to).limit + amount, 0, 0, ++salt);
        bytes memory signature = _sign(keys[from % 4 & 2], _hash(p));
        _try(abi.encodeCall(ILedger.fund, (p, _proof(), signature)), "fund");
    }

    function abandon(uint256 who) external {
        if (who % 5 != 0) return;
        address account = accounts[who % 4];
        vm.prank(accounts[who % 4 & 2]);
        (bool success,) =
            address(ledger).call(abi.encodeCall(ILedger.abandon, (account, address(usdg), deadline, "")));
        if (success) ++done["abandon"];
        else ++refused;
    }

    function replay(uint256 which) external {
        if (calls.length > 0) _try(calls[which % calls.length], "replay");
    }

    function noteCount() external view returns (uint256) {
        return notes.length;
    }

    function _payWith(uint256 who, address to, uint256 newAvailable, uint256 note, string memory action)
        private
        returns (bool)
    {
        address account = accounts[who % 4];
        if (who % 2 == 1) {
            ILedger.SpendParams memory s;
            (s.account, s.to, s.asset, s.mode, s.deadline) = (account, to, address(usdg), 2, deadline);
            (s.newAvailable, s.note) = (newAvailable, note);
            ILedger.RecipientProof memory path;
            bytes memory signature = _sign(keys[who % 4 & 2], _hash(s));
            return _try(abi.encodeCall(ILedger.spend, (s, path, _proof(), signature)), action);
        }
        ILedger.TransferParams memory p;
        (p.account, p.to, p.asset, p.deadline) = (account, to, address(usdg), deadline);
        (p.newAvailable, p.note) = (newAvailable, note);
        return _try(abi.encodeCall(ILedger.transfer, (p, _proof(), _sign(keys[who % 4], _hash(p)))), action);
    }

    /// A part of the available balance; now and then one unit more than is there.
    function _amount(address account, uint64 amount) private view returns (uint64) {
        return uint64(amount % (uint256(_available(account).limit) + 2));
    }

    /// The available balance after paying `amount`; one time in eight it stays as large as it was.
    function _less(address account, uint64 amount, uint64 less) private returns (uint256) {
        uint64 limit = _available(account).limit;
        if (less % 8 == 0 || amount > limit) amount = 0;
        return verifier.commitAvailable(limit - amount, 0, 0, ++salt);
    }

    function _available(address account) private view returns (IdealVerifier.AvailableBalance memory) {
        return verifier.available(ledger.availableOf(account, address(usdg)));
    }

    function _proof() private pure returns (ILedger.Proof memory proof) {}

    function _try(bytes memory call_, string memory action) private returns (bool success) {
        (success,) = address(ledger).call(call_);
        if (success) {
            calls.push(call_);
            ++done[action];
        } else {
            ++refused;
        }
    }
}
