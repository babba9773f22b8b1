// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {KeyWallet} from "./helpers/Wallets.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// Invariant 10: every function × every signer × {plain, limited, agent} × {guarded or not} in one table.
///
/// A row is a function (spend and spendPublic one for each mode), its cells are the signers that may: one letter each
/// for the five worlds. `-` means that the function does not apply: it reverts for every signer.
///   P plain account, unguarded      p plain account, guarded
///   R limited account (always guarded)
///   A agent of an unguarded owner   a agent of a guarded owner
contract AuthorityTest is LedgerTest {
    enum Who {
        Wallet,
        PaymentKey,
        ExpiredPaymentKey,
        AgentSigner,
        OldSigner,
        EndedAgent,
        Stranger,
        ContractWallet,
        DelegatedWallet
    }

    uint256 private constant SIGNER_KEY = 0x5164e4;
    uint256 private constant NEW_AGENT_KEY = 0x4e3;
    /// The wallet of a contract account, signed for by STRANGER_KEY + 1.
    uint256 private constant INNER_KEY = STRANGER_KEY + 1;

    string[13] private functions = [
        "setPaymentKey",
        "setGuarded",
        "abandon",
        "makeAvailable",
        "enrollAgent",
        "setPolicy",
        "setAgentSigner",
        "endAgent",
        "transfer",
        "release",
        "transferMany",
        "fund",
        "fundBack"
    ];

    /// Which of the worlds PpRAa the wallet and the payment key may do a function in. The wallet is any of three: by
    /// its key, a contract, or a key with EIP-7702 code. No one else may do any of these.
    string[13] private walletMay =
        ["PpR", "PpR", "PpRAa", "PpRAa", "PpR", "PpRAa", "Aa", "Aa", "Pp", "Pp", "PpRAa", "Aa", "Aa"];
    string[13] private paymentKeyMay = ["", "", "", "", "PpR", "A", "", "Aa", "Pp", "Pp", "Pp", "A", "A"];

    /// The same for spend and spendPublic in modes 0, 1, 2 and 3, with the agent's signer.
    string[4] private walletSpends = ["", "", "RAa", ""];
    string[4] private paymentKeySpends = ["R", "Aa", "", ""];
    string[4] private signerSpends = ["Aa", "", "", ""];

    function test_Invariant10_EveryFunctionTakesExactlyItsSigners() public {
        uint256 cells;
        uint256 allowed;
        bytes memory worlds = "PpRAa";
        for (uint256 w = 0; w < 5; ++w) {
            for (uint256 s = 0; s <= uint256(type(Who).max); ++s) {
                uint256 start = vm.snapshotState();
                uint256 key = _arrange(worlds[w], Who(s));
                uint256 arranged = vm.snapshotState();
                for (uint256 f = 0; f < functions.length; ++f) {
                    bool may = _may(Who(s), worlds[w], walletMay[f], paymentKeyMay[f], "");
                    _assertCell(functions[f], worlds[w], Who(s), _try(functions[f], worlds[w], key), may);
                    vm.revertToState(arranged);
                    (++cells, allowed += may ? 1 : 0);
                }
                for (uint8 mode = 0; mode < 4; ++mode) {
                    bool may =
                        _may(Who(s), worlds[w], walletSpends[mode], paymentKeySpends[mode], signerSpends[mode]);
                    string memory name = string.concat("spend in mode ", vm.toString(mode));
                    _assertCell(name, worlds[w], Who(s), _trySpend(worlds[w], key, mode), may);
                    vm.revertToState(arranged);
                    _assertCell(name, worlds[w], Who(s), _trySpendPublic(worlds[w], key, mode), may);
                    vm.revertToState(arranged);
                    (cells += 2, allowed += may ? 2 : 0);
                }
                vm.revertToState(start);
            }
        }
        vm.assertEq(cells, 5 * 9 * 21);
        // Three wallets × (41 + 6), the payment key 14 + 6, and the agent's signer 4.
        vm.assertEq(allowed, 3 * (41 + 6) + 14 + 6 + 4);
    }

    /// Builds a world and returns the key that signs in it.
    function _arrange(bytes1 world, Who who) private returns (uint256 key) {
        _deposit(alice, 1000);
        if (world == "p" || world == "a") _setGuarded(alice, true);
        if (world == "R") _ruleAlice();
        // What is abandoned must be there.
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(900);
        vm.prank(alice);
        ledger.makeAvailable(p, proof, "");
        (p.account, p.newAvailable) = (agent, _commitment(901));
        vm.prank(alice);
        ledger.makeAvailable(p, proof, "");
        if (who == Who.AgentSigner || who == Who.OldSigner) {
            _setAgentSigner(agent, vm.addr(SIGNER_KEY), NO_END);
            return who == Who.AgentSigner ? SIGNER_KEY : AGENT_KEY;
        }
        if (who == Who.EndedAgent) _setAgentSigner(agent, address(0), NO_END);
        if (who == Who.ExpiredPaymentKey) {
            vm.prank(alice);
            ledger.setPaymentKey(alice, paymentKey, NOW - 1, SOON, "");
        }
        if (who == Who.ContractWallet) vm.etch(alice, address(new KeyWallet(vm.addr(INNER_KEY))).code);
        // Code that says no to everything: the key counts all the same.
        if (who == Who.DelegatedWallet) vm.etch(alice, hex"5f5ffd");
        uint256[9] memory keys = [
            ALICE_KEY,
            PAYMENT_KEY,
            PAYMENT_KEY,
            SIGNER_KEY,
            AGENT_KEY,
            AGENT_KEY,
            STRANGER_KEY,
            INNER_KEY,
            ALICE_KEY
        ];
        return keys[uint256(who)];
    }

    function _may(Who who, bytes1 world, string memory wallet, string memory paymentKey_, string memory signer)
        private
        pure
        returns (bool)
    {
        if (who == Who.Wallet || who == Who.ContractWallet || who == Who.DelegatedWallet) return _in(world, wallet);
        if (who == Who.PaymentKey) return _in(world, paymentKey_);
        if (who == Who.AgentSigner) return _in(world, signer);
        return false;
    }

    function _in(bytes1 world, string memory worlds) private pure returns (bool) {
        for (uint256 i = 0; i < bytes(worlds).length; ++i) {
            if (bytes(worlds)[i] == world) return true;
        }
        return false;
    }

    function _assertCell(string memory name, bytes1 world, Who who, bool success, bool may) private pure {
        string memory cell = string.concat(
            name, ", world ", string(abi.encodePacked(world)), ", signer ", vm.toString(uint256(who))
        );
        vm.assertEq(success, may, cell);
    }

    /// Whom the function is about: the account in the worlds of accounts, the agent in those of agents.
    function _subject(bytes1 world) private view returns (address) {
        return world == "A" || world == "a" ? agent : alice;
    }

    function _try(string memory name, bytes1 world, uint256 key) private returns (bool success) {
        bytes memory data = _call(keccak256(bytes(name)), _subject(world), key);
        vm.prank(relayer);
        (success,) = address(ledger).call(data);
    }

    function _call(bytes32 name, address who, uint256 key) private view returns (bytes memory) {
        if (name == keccak256("setPaymentKey")) {
            bytes32 hash = Structs.setPaymentKey(who, carol, UNTIL, _nonce(who), SOON);
            return abi.encodeCall(ILedger.setPaymentKey, (who, carol, UNTIL, SOON, _sign(key, hash)));
        }
        if (name == keccak256("setGuarded")) {
            bytes32 hash = Structs.setGuarded(who, true, _nonce(who), SOON);
            return abi.encodeCall(ILedger.setGuarded, (who, true, SOON, _sign(key, hash)));
        }
        if (name == keccak256("abandon")) {
            bytes32 hash = Structs.abandon(who, address(usdg), _old(who), _nonce(who), SOON);
            return abi.encodeCall(ILedger.abandon, (who, address(usdg), SOON, _sign(key, hash)));
        }
        if (name == keccak256("makeAvailable")) {
            ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
            p.account = who;
            return abi.encodeCall(ILedger.makeAvailable, (p, proof, _sign(key, _hash(p))));
        }
        if (name == keccak256("enrollAgent")) {
            bytes32 hash = Structs.enrollAgent(vm.addr(NEW_AGENT_KEY), who, SOON);
            return abi.encodeCall(
                ILedger.enrollAgent,
                (vm.addr(NEW_AGENT_KEY), who, SOON, _sign(key, hash), _sign(NEW_AGENT_KEY, hash))
            );
        }
        if (name == keccak256("setPolicy")) {
            ILedger.PolicyParams memory p = _policyParams(who, true);
            return abi.encodeCall(ILedger.setPolicy, (p, _sign(key, _hash(p))));
        }
        if (name == keccak256("setAgentSigner") || name == keccak256("endAgent")) {
            address signer = name == keccak256("endAgent") ? address(0) : carol;
            ILedger.AgentSignerParams memory p = _agentSignerParams(who, signer, NO_END);
            return abi.encodeCall(ILedger.setAgentSigner, (p, _sign(key, _hash(p))));
        }
        return _moneyCall(name, who, key);
    }

    function _moneyCall(bytes32 name, address who, uint256 key) private view returns (bytes memory) {
        if (name == keccak256("transfer")) {
            ILedger.TransferParams memory p = _transferParams(1);
            p.account = who;
            return abi.encodeCall(ILedger.transfer, (p, proof, _sign(key, _hash(p))));
        }
        if (name == keccak256("release")) {
            ILedger.ReleaseParams memory p = _releaseParams(1);
            p.account = who;
            return abi.encodeCall(ILedger.release, (p, proof, _sign(key, _hash(p))));
        }
        if (name == keccak256("transferMany")) {
            ILedger.TransferManyParams memory p = _manyParams(1, 2);
            p.account = who;
            return abi.encodeCall(ILedger.transferMany, (p, proof, _sign(key, _hash(p))));
        }
        ILedger.FundParams memory f = _fundParams(1);
        // Of an account nothing is funded: two accounts are no pair.
        (f.from, f.to) = (who == agent ? alice : who, who == agent ? agent : bob);
        if (name == keccak256("fundBack")) (f.from, f.to) = (f.to, f.from);
        return abi.encodeCall(ILedger.fund, (f, proof, _sign(key, _hash(f))));
    }

    function _trySpend(bytes1 world, uint256 key, uint8 mode) private returns (bool success) {
        ILedger.SpendParams memory p = _spendParams(1);
        (p.account, p.mode, p.day) = (_subject(world), mode, mode == 2 ? 0 : TODAY);
        bytes memory data = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(key, _hash(p))));
        vm.prank(relayer);
        (success,) = address(ledger).call(data);
    }

    function _trySpendPublic(bytes1 world, uint256 key, uint8 mode) private returns (bool success) {
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        (p.account, p.mode, p.day) = (_subject(world), mode, mode == 2 ? 0 : TODAY);
        bytes memory data = abi.encodeCall(ILedger.spendPublic, (p, noPath, proof, _sign(key, _hash(p))));
        vm.prank(relayer);
        (success,) = address(ledger).call(data);
    }
}
