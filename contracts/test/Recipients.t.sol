// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// Invariant 17: whom a policy lets an agent pay
/// ├── root zero: no one, with any path; root one: anyone
/// ├── a tree of four: each member, with its salt and path
/// └── refused: strangers, another salt, a shorter or longer path, another account's tree, a node as leaf, a leaf as node
contract RecipientsTest is LedgerTest {
    address[4] private members;
    bytes32[4] private leaves;
    bytes32[2] private nodes;

    function setUp() public override {
        super.setUp();
        members = [bob, alice, carol, address(0x3e3be4)];
        for (uint256 i = 0; i < 4; ++i) {
            leaves[i] = keccak256(bytes.concat(keccak256(abi.encode(agent, members[i], bytes32(i)))));
        }
        nodes = [_pair(leaves[0], leaves[1]), _pair(leaves[2], leaves[3])];
        _setRoot(agent, _pair(nodes[0], nodes[1]));
    }

    function test_Invariant17_EachMemberMayBePaid() public {
        _deposit(alice, 100);
        for (uint256 i = 0; i < 4; ++i) {
            ILedger.SpendPublicParams memory p = _spendPublicParams(10 * i);
            p.to = members[i];
            ledger.spendPublic(p, _path(i), proof, _sign(AGENT_KEY, _hash(p)));
            vm.assertEq(usdg.balanceOf(members[i]), 5);
        }
        ILedger.SpendParams memory q = _spendParams(50);
        ledger.spend(q, _path(0), proof, _sign(AGENT_KEY, _hash(q)));
    }

    function test_Invariant17_ApprovalsKeepToTheRecipients() public {
        ILedger.SpendParams memory p = _spendParams(1);
        (p.mode, p.to) = (1, alice);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        vm.expectRevert(abi.encodeWithSelector(ILedger.RecipientNotAllowed.selector, agent, alice));
        ledger.spend(p, _path(0), proof, signature);
        ledger.spend(p, _path(1), proof, signature);
    }

    function test_Invariant17_TheWalletPaysAnyone() public {
        _setRoot(agent, 0);
        ILedger.SpendParams memory p = _spendParams(1);
        (p.mode, p.day) = (2, 0);
        ledger.spend(p, noPath, proof, _sign(ALICE_KEY, _hash(p)));
    }

    function test_Invariant17_RootZeroIsNoOneAlsoWithAnEmptyPath() public {
        _setRoot(agent, 0);
        _refuse(bob, noPath);
        for (uint256 i = 0; i < 4; ++i) {
            _refuse(members[i], _path(i));
        }
    }

    function test_Invariant17_RootOneIsAnyoneWithAnyPath() public {
        _setRoot(agent, ANYONE);
        ILedger.SpendParams memory p = _spendParams(1);
        ledger.spend(p, _path(3), proof, _sign(AGENT_KEY, _hash(p)));
    }

    function test_Invariant17_RevertWhen_TheRecipientIsNotInTheTree() public {
        for (uint256 i = 0; i < 4; ++i) {
            _refuse(stranger, _path(i));
        }
        _refuse(bob, noPath);
        _refuse(bob, _path(1));
    }

    function testFuzz_Invariant17_RevertWhen_TheSaltIsAnother(bytes32 salt) public {
        vm.assume(salt != 0);
        ILedger.RecipientProof memory path = _path(0);
        path.leafSalt = salt;
        _refuse(bob, path);
    }

    function test_Invariant17_RevertWhen_ALeafOrNodeStandsInAnothersPlace() public {
        // The path of a node: shorter by one. What it leads to is no leaf, so the leaf's own hash does not fit there.
        ILedger.RecipientProof memory path = _path(0);
        path.path = new bytes32[](1);
        path.path[0] = nodes[1];
        _refuse(bob, path);
        // A leaf as a node: longer by one.
        path = _path(0);
        bytes32[] memory longer = new bytes32[](3);
        (longer[0], longer[1], longer[2]) = (leaves[0], leaves[1], nodes[1]);
        path.path = longer;
        _refuse(bob, path);
    }

    /// The preimage of a node is two words, that of a leaf's inner hash three, and a leaf is hashed twice.
    function test_Invariant17_RevertWhen_TheRootIsALeafHashedOnce() public {
        _setRoot(agent, keccak256(abi.encode(agent, bob, bytes32(0))));
        _refuse(bob, noPath);
    }

    function test_Invariant17_ATreeOfOneLeafNeedsNoPath() public {
        _setRoot(agent, leaves[0]);
        ILedger.SpendParams memory p = _spendParams(1);
        ledger.spend(p, noPath, proof, _sign(AGENT_KEY, _hash(p)));
    }

    function test_Invariant17_RevertWhen_TheTreeIsAnotherAccounts() public {
        bytes32 root = _pair(nodes[0], nodes[1]);
        _ruleAlice();
        _setRoot(alice, root);
        ILedger.SpendParams memory p = _spendParams(1);
        p.account = alice;
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        vm.expectRevert(abi.encodeWithSelector(ILedger.RecipientNotAllowed.selector, alice, bob));
        ledger.spend(p, _path(0), proof, signature);
    }

    function _setRoot(address account, bytes32 root) private {
        ILedger.PolicyParams memory p = _policyParams(account, true);
        p.recipientsRoot = root;
        _setPolicy(alice, p);
    }

    function _refuse(address to, ILedger.RecipientProof memory path) private {
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        p.to = to;
        bytes memory signature = _sign(AGENT_KEY, _hash(p));
        vm.expectRevert(abi.encodeWithSelector(ILedger.RecipientNotAllowed.selector, agent, to));
        ledger.spendPublic(p, path, proof, signature);
    }

    function _path(uint256 i) private view returns (ILedger.RecipientProof memory path) {
        path.leafSalt = bytes32(i);
        path.path = new bytes32[](2);
        (path.path[0], path.path[1]) = (leaves[i ^ 1], nodes[1 - i / 2]);
    }

    function _pair(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? keccak256(abi.encode(a, b)) : keccak256(abi.encode(b, a));
    }
}
