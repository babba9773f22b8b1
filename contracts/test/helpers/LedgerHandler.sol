// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE} from "../../src/Constants.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {IdealVerifier} from "./IdealVerifier.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// Two owners, each with an agent, doing what they like, honest or not: every action is also tried with another amount than
/// the true one, with notes of others, with notes twice, and old calls are sent again.
contract LedgerHandler is StructSigner {
    ILedger public immutable ledger;
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

    constructor(ILedger ledger_, TestUSDG usdg_, IdealVerifier verifier_, bytes32 separator_, uint64 deadline_) {
        (ledger, usdg, verifier, separator, deadline) = (ledger_, usdg_, verifier_, separator_, deadline_);
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
    function allocate(uint256 who, uint256 seed, uint64 credit, uint64 kept, uint8 count, uint64 greed) external {
        ILedger.AllocateParams memory p;
        (p.account, p.asset, p.deadline, p.changeNote) = (accounts[who % 4], address(usdg), deadline, EMPTY_NOTE);
        p.credit = uint64(credit % (uint256(ledger.creditOf(p.account, p.asset)) + 2));
        uint256 old = ledger.budgetOf(p.account, p.asset);
        uint256 total = verifier.budgetLimit(old) + p.credit;
        for (uint256 i = 0; i < 8; ++i) {
            p.notes[i] = EMPTY_NOTE;
            if (i >= count % 4 || notes.length == 0) continue;
            p.notes[i] = notes[uint256(keccak256(abi.encode(seed, i))) % notes.length];
            total += verifier.noteAmount(p.notes[i]);
        }
        if (greed % 8 == 0) total += greed;
        uint64 limit = uint64(kept % (total + 1));
        p.newBudget = verifier.commitBudget(limit, ++salt);
        uint64 change = uint64(total - limit);
        if (change > 0) p.changeNote = verifier.commitNote(change, ++salt);
        ILedger.Proof memory proof;
        bytes memory signature = _signAllocate(keys[who % 4 & 2], p, old, _nonce(p.account));
        if (_try(abi.encodeCall(ILedger.allocate, (p, proof, signature)), "allocate") && change > 0) {
            notes.push(p.changeNote);
        }
    }

    function transfer(uint256 who, uint256 to, uint64 amount, uint64 less) external {
        ILedger.TransferParams memory p;
        (p.account, p.to, p.asset, p.deadline) = (accounts[who % 4], accounts[to % 4], address(usdg), deadline);
        uint256 old = ledger.budgetOf(p.account, p.asset);
        p.newBudget = _spend(old, amount = _amount(old, amount), less);
        p.note = verifier.commitNote(amount, ++salt);
        ILedger.Proof memory proof;
        bytes memory call_ =
            abi.encodeCall(ILedger.transfer, (p, proof, _signTransfer(keys[who % 4], p, old)));
        if (_try(call_, "transfer")) notes.push(p.note);
    }

    /// Pays with a word that was a note before: new to another account, never again to the same.
    function transferOldNote(uint256 who, uint256 to, uint256 which) external {
        if (notes.length == 0) return;
        ILedger.TransferParams memory p;
        (p.account, p.to, p.asset, p.deadline) = (accounts[who % 4], accounts[to % 4], address(usdg), deadline);
        uint256 old = ledger.budgetOf(p.account, p.asset);
        p.note = notes[which % notes.length];
        p.newBudget = _spend(old, uint64(verifier.noteAmount(p.note)), 1);
        bool known = ledger.noteStatus(p.to, p.asset, p.note) != ILedger.NoteStatus.None;
        ILedger.Proof memory proof;
        bytes memory call_ = abi.encodeCall(ILedger.transfer, (p, proof, _signTransfer(keys[who % 4], p, old)));
        _try(call_, known ? "reopen" : "transfer");
    }

    function release(uint256 who, uint64 amount, uint64 less) external {
        ILedger.ReleaseParams memory p;
        (p.account, p.to, p.asset, p.deadline) = (accounts[who % 4], address(0xca401), address(usdg), deadline);
        uint256 old = ledger.budgetOf(p.account, p.asset);
        p.amount = _amount(old, amount);
        p.newBudget = _spend(old, p.amount, less);
        ILedger.Proof memory proof;
        _try(abi.encodeCall(ILedger.release, (p, proof, _signRelease(keys[who % 4], p, old))), "release");
    }

    function fund(uint256 from, uint256 to, uint64 amount, uint64 less) external {
        ILedger.FundParams memory p;
        (p.from, p.to, p.asset, p.deadline) = (accounts[from % 4], accounts[to % 4], address(usdg), deadline);
        uint256 fromOld = ledger.budgetOf(p.from, p.asset);
        uint256 toOld = ledger.budgetOf(p.to, p.asset);
        amount = _amount(fromOld, amount);
        p.fromNewBudget = _spend(fromOld, amount, less);
        p.toNewBudget = verifier.commitBudget(uint64(verifier.budgetLimit(toOld)) + amount, ++salt);
        ILedger.Proof memory proof;
        bytes memory signature = _signFund(keys[from % 4 & 2], p, fromOld, toOld);
        _try(abi.encodeCall(ILedger.fund, (p, proof, signature)), "fund");
    }

    function abandon(uint256 who) external {
        address account = accounts[who % 4];
        if (who % 5 != 0) return;
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

    /// A part of the budget; now and then one unit more than is there.
    function _amount(uint256 old, uint64 amount) private view returns (uint64) {
        return uint64(amount % (verifier.budgetLimit(old) + 2));
    }

    /// The budget after paying `amount`; one time in eight it stays as large as it was.
    function _spend(uint256 old, uint64 amount, uint64 less) private returns (uint256) {
        uint64 limit = uint64(verifier.budgetLimit(old));
        if (less % 8 == 0 || amount > limit) amount = 0;
        return verifier.commitBudget(limit - amount, ++salt);
    }

    function _try(bytes memory call_, string memory action) private returns (bool success) {
        (success,) = address(ledger).call(call_);
        if (success) {
            calls.push(call_);
            ++done[action];
        } else {
            ++refused;
        }
    }

    function _nonce(address who) private view returns (uint64 nonce) {
        (,,,, nonce,) = ledger.account(who);
    }
}
